import type { FigureTable } from "../../scripts/figures/figure-file.ts";
import {
  addedLatencyMs,
  callsAgainstPortkey,
  lessCpuThanPortkey,
  OURS,
  timesBareProxy,
} from "./comparisons.ts";
import { type ContenderName, NAMES } from "./contenders.ts";
import { nameOf, type Scenario } from "./scenario.ts";
import type { Cell, Summary } from "./summary.ts";
import { FAST_FDATASYNC_MS, type JudgedTarget, type Verdict } from "./targets.ts";

const VERDICTS: Readonly<Record<Verdict, string>> = {
  sought: "sought, met",
  met: "required, met",
  missed: "**missed**",
  "not measured": "not measured",
  "disk too slow": "missed; this disk is slower",
};

/** Required, sought and found figures, with that of the disk. */
export function targetTable(targets: readonly JudgedTarget[], fdatasyncMs: number): FigureTable {
  const [main, wire] = OURS;
  return {
    header: ["", "required", "sought", "found, main", "found, /v1", ""],
    rows: [
      ...targets.map(({ what, unit, required, sought, isMoreBetter, found, verdict }) => {
        const goal = (value: number) => `${isMoreBetter ? "≥" : "≤"} ${value} ${unit}`;
        return [
          what,
          goal(required),
          goal(sought),
          round(found[main]),
          round(found[wire]),
          VERDICTS[verdict],
        ];
      }),
      ["fdatasync p50 of this machine, ms", `≤ ${FAST_FDATASYNC_MS}`, "", fdatasyncMs.toFixed(2), "", ""],
    ],
  };
}

type Column = readonly [title: string, find: (scenario: Scenario) => number | null];

/** Everyone against the bare proxy, the upstream itself and Portkey, one row per scenario. */
export function ratioTable(summary: Summary, scenarios: readonly Scenario[]): FigureTable {
  const everyone = [...OURS, "portkey"] as const;
  const columns: Column[] = [
    ...(["billed proxy", ...everyone] as const).map(
      (name): Column => [`CPU × bare proxy: ${titleOf(name)}`, (each) => timesBareProxy(summary, name, each)],
    ),
    ...OURS.map(
      (name): Column => [
        `Portkey's CPU ÷ ours: ${titleOf(name)}`,
        (each) => lessCpuThanPortkey(summary, name, each),
      ],
    ),
    ...OURS.map(
      (name): Column => [
        `calls/s ÷ Portkey's: ${titleOf(name)}`,
        (each) => callsAgainstPortkey(summary, name, each),
      ],
    ),
    ...(["bare proxy", "billed proxy", ...everyone] as const).map(
      (name): Column => [`added p50 ms: ${titleOf(name)}`, (each) => addedLatencyMs(summary, name, each)],
    ),
  ];
  // Leaves out columns about Portkey if it did not run.
  const told = columns.filter(([, find]) => scenarios.some((each) => find(each) !== null));
  return {
    header: ["", ...told.map(([title]) => title)],
    rows: scenarios.map((each) => [nameOf(each), ...told.map(([, find]) => round(find(each)))]),
  };
}

function titleOf(name: ContenderName): string {
  return name === "portkey" ? "Portkey" : name.replace("bursar, ", "");
}

/** Every contender in each of the given scenarios. */
export function fullTable(summary: Summary, scenarios: readonly Scenario[]): FigureTable {
  const isThere = (name: ContenderName) => summary.cells.some(({ contender }) => contender === name);
  const rows = scenarios.flatMap((scenario) =>
    NAMES.filter(isThere).map((name) => rowOf(name, nameOf(scenario), summary.cell(name, nameOf(scenario)))),
  );
  return {
    header: [
      "",
      "calls/s",
      "p50 ms",
      "p99 ms",
      "first byte p50 ms",
      "CPU µs per call",
      "with PostgreSQL",
      "memory MB",
      "callers' CPU",
      "upstream's CPU",
    ],
    rows,
  };
}

function rowOf(name: ContenderName, scenario: string, cell: Cell | null): string[] {
  const title = `${scenario}: ${name}`;
  if (cell === null) return [title, "not served", ...Array.from({ length: 8 }, () => "")];
  return [
    title,
    cell.callsPerSecond.toFixed(0),
    cell.p50Ms.toFixed(2),
    cell.p99Ms.toFixed(2),
    cell.firstByteP50Ms.toFixed(2),
    cell.cpuMicrosPerCall?.toFixed(0) ?? "",
    cell.cpuWithDatabaseMicrosPerCall?.toFixed(0) ?? "",
    cell.residentMb?.toFixed(0) ?? "",
    percent(cell.loadCpuShare),
    percent(cell.upstreamCpuShare),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function round(value: number | null): string {
  if (value === null) return "";
  return Math.abs(value) < 100 ? value.toFixed(2) : value.toFixed(0);
}
