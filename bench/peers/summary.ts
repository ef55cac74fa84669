import { median } from "../table.ts";
import type { ContenderName } from "./contenders.ts";
import type { Measurement } from "./measure.ts";

/** A contender in a scenario, over all rounds: medians, and the peak memory. */
export type Cell = {
  readonly contender: ContenderName;
  readonly scenario: string;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstByteP50Ms: number;
  readonly cpuMicrosPerCall: number | null;
  readonly cpuWithDatabaseMicrosPerCall: number | null;
  readonly residentMb: number | null;
  readonly loadCpuShare: number;
  readonly upstreamCpuShare: number;
};

export type Summary = {
  readonly cells: readonly Cell[];
  cell(contender: ContenderName, scenario: string): Cell | null;
  /** Compares two contenders round by round; null if one of them has no such figure. */
  against(
    scenario: string,
    pair: readonly [ContenderName, ContenderName],
    compare: (one: Measurement, other: Measurement) => number | null,
  ): number | null;
};

export function summarize(measurements: readonly Measurement[]): Summary {
  const groups = Map.groupBy(measurements, ({ contender, scenario }) => keyOf(contender, scenario));
  const cells = [...groups.values()].map(cellOf);
  const byKey = new Map(cells.map((cell) => [keyOf(cell.contender, cell.scenario), cell]));
  return {
    cells,
    cell: (contender, scenario) => byKey.get(keyOf(contender, scenario)) ?? null,
    against(scenario, [one, other], compare) {
      const others = groups.get(keyOf(other, scenario)) ?? [];
      const found = (groups.get(keyOf(one, scenario)) ?? []).flatMap((measured) => {
        // Other load on the machine varies from round to round, and less within one.
        const beside = others.find(({ round }) => round === measured.round);
        const value = beside === undefined ? null : compare(measured, beside);
        return value === null ? [] : [value];
      });
      return medianOf(found);
    },
  };
}

export function cpuPerCall({ cpuMicros, calls }: Measurement): number | null {
  return cpuMicros === null ? null : cpuMicros / calls;
}

function cellOf(rounds: readonly Measurement[]): Cell {
  const [{ contender, scenario }] = rounds as readonly [Measurement, ...Measurement[]];
  const middle = (of: (one: Measurement) => number) => median(rounds.map(of));
  const perCall = (of: (one: Measurement) => number | null) =>
    medianOf(
      rounds.flatMap((one) => {
        const micros = of(one);
        return micros === null ? [] : [micros / one.calls];
      }),
    );
  const resident = rounds.flatMap(({ residentMb }) => (residentMb === null ? [] : [residentMb]));
  return {
    contender,
    scenario,
    callsPerSecond: middle(({ calls, seconds }) => calls / seconds),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    firstByteP50Ms: middle(({ firstByteP50Ms }) => firstByteP50Ms),
    cpuMicrosPerCall: perCall(({ cpuMicros }) => cpuMicros),
    cpuWithDatabaseMicrosPerCall: perCall(({ cpuWithDatabaseMicros }) => cpuWithDatabaseMicros),
    residentMb: resident.length === 0 ? null : Math.max(...resident),
    loadCpuShare: middle(({ loadCpuShare }) => loadCpuShare),
    upstreamCpuShare: middle(({ upstreamCpuShare }) => upstreamCpuShare),
  };
}

function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function keyOf(contender: ContenderName, scenario: string): string {
  return `${contender}\n${scenario}`;
}
