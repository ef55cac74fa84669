import type { ContenderName } from "./contenders.ts";
import type { Measurement } from "./measure.ts";
import { nameOf, type Scenario } from "./scenario.ts";
import { cpuPerCall, type Summary } from "./summary.ts";

/** Our two APIs: what is claimed of the gateway is claimed of both. */
export const OURS = ["bursar, main", "bursar, /v1"] as const;
export type Ours = (typeof OURS)[number];

/** A contender's CPU per call as a multiple of the bare proxy's. */
export function timesBareProxy(
  summary: Summary,
  contender: ContenderName,
  scenario: Scenario,
): number | null {
  return summary.against(nameOf(scenario), [contender, "bare proxy"], ratioOf(cpuPerCall));
}

export function lessCpuThanPortkey(summary: Summary, ours: Ours, scenario: Scenario): number | null {
  return summary.against(nameOf(scenario), ["portkey", ours], ratioOf(cpuPerCall));
}

export function callsAgainstPortkey(summary: Summary, ours: Ours, scenario: Scenario): number | null {
  const rate = ({ calls, seconds }: Measurement) => calls / seconds;
  return summary.against(nameOf(scenario), [ours, "portkey"], ratioOf(rate));
}

/** Median latency beyond that of calling the upstream directly. */
export function addedLatencyMs(
  summary: Summary,
  contender: ContenderName,
  scenario: Scenario,
): number | null {
  return summary.against(nameOf(scenario), [contender, "direct"], (one, other) => one.p50Ms - other.p50Ms);
}

function ratioOf(figure: (one: Measurement) => number | null) {
  return (one: Measurement, other: Measurement): number | null => {
    const above = figure(one);
    const below = figure(other);
    return above === null || below === null || below === 0 ? null : above / below;
  };
}
