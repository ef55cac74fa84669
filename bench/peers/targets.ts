import {
  addedLatencyMs,
  callsAgainstPortkey,
  lessCpuThanPortkey,
  OURS,
  type Ours,
  timesBareProxy,
} from "./comparisons.ts";
import { nameOf, type Scenario } from "./scenario.ts";
import type { Summary } from "./summary.ts";

export type Verdict = "sought" | "met" | "missed" | "not measured" | "disk too slow";

export type JudgedTarget = {
  readonly what: string;
  readonly unit: string;
  readonly required: number;
  readonly sought: number;
  readonly isMoreBetter: boolean;
  readonly found: Readonly<Record<Ours, number | null>>;
  readonly verdict: Verdict;
};

type Target = Omit<JudgedTarget, "found" | "verdict"> & {
  readonly needsFastDisk?: boolean;
  find(summary: Summary, ours: Ours): number | null;
};

/** A commit waits for the disk: the latency that a call may add is stated for disks no slower than this. */
export const FAST_FDATASYNC_MS = 0.15;

const small: Scenario = { form: "one piece", prompt: "small", connections: 64 };
const streamed: Scenario = { ...small, form: "stream" };
const alone: Scenario = { ...small, connections: 1 };

const TARGETS: readonly Target[] = [
  {
    what: "CPU per billed call, Portkey's without billing against ours, one piece",
    unit: "times less",
    required: 8,
    sought: 12,
    isMoreBetter: true,
    find: (summary, ours) => lessCpuThanPortkey(summary, ours, small),
  },
  {
    what: "calls per second against Portkey, 64 connections, one machine for all",
    unit: "times",
    required: 4,
    sought: 6,
    isMoreBetter: true,
    find: (summary, ours) => callsAgainstPortkey(summary, ours, small),
  },
  {
    what: "CPU against the bare proxy, small prompts, one piece",
    unit: "times",
    required: 2.2,
    sought: 1.6,
    isMoreBetter: false,
    find: (summary, ours) => timesBareProxy(summary, ours, small),
  },
  {
    what: "CPU against the bare proxy, small prompts, streamed",
    unit: "times",
    required: 1.6,
    sought: 1.3,
    isMoreBetter: false,
    find: (summary, ours) => timesBareProxy(summary, ours, streamed),
  },
  ...(
    [
      ["100 KB prompts, one piece", 2, { ...small, prompt: "100 KB" }],
      ["100 KB prompts, streamed", 1.9, { ...streamed, prompt: "100 KB" }],
      ["100 KB prompts of new texts, one piece", 2.4, { ...small, prompt: "100 KB of new texts" }],
      ["100 KB prompts of new texts, streamed", 2.4, { ...streamed, prompt: "100 KB of new texts" }],
    ] as const
  ).map(([what, required, scenario]) => ({
    what: `CPU against the bare proxy, ${what}`,
    unit: "times",
    required,
    sought: Math.round((required - 0.3) * 10) / 10,
    isMoreBetter: false,
    find: (summary: Summary, ours: Ours) => timesBareProxy(summary, ours, scenario),
  })),
  {
    what: `added latency at one connection, p50 (where fdatasync p50 ≤ ${FAST_FDATASYNC_MS} ms)`,
    unit: "ms",
    required: 0.8,
    sought: 0.5,
    isMoreBetter: false,
    needsFastDisk: true,
    find: (summary, ours) => addedLatencyMs(summary, ours, alone),
  },
  {
    what: "memory at 64 connections, small prompts, one piece and streamed",
    unit: "MB",
    required: 150,
    sought: 110,
    isMoreBetter: false,
    find: mostMemory,
  },
];

/** A target is met if both of our APIs meet it. */
export function judge(summary: Summary, fdatasyncMs: number): JudgedTarget[] {
  return TARGETS.map(({ find, needsFastDisk, ...target }) => {
    const found = Object.fromEntries(OURS.map((ours) => [ours, find(summary, ours)])) as Record<
      Ours,
      number | null
    >;
    const verdict = verdictOf(target, Object.values(found));
    const isExcused = verdict === "missed" && needsFastDisk === true && fdatasyncMs > FAST_FDATASYNC_MS;
    return { ...target, found, verdict: isExcused ? "disk too slow" : verdict };
  });
}

function verdictOf(
  { required, sought, isMoreBetter }: Pick<Target, "required" | "sought" | "isMoreBetter">,
  found: readonly (number | null)[],
): Verdict {
  const reaches = (goal: number) =>
    found.every((value) => value !== null && (isMoreBetter ? value >= goal : value <= goal));
  if (found.includes(null)) return "not measured";
  if (reaches(sought)) return "sought";
  return reaches(required) ? "met" : "missed";
}

function mostMemory(summary: Summary, ours: Ours): number | null {
  const found = [small, streamed].map((each) => summary.cell(ours, nameOf(each))?.residentMb ?? null);
  return found.reduce((most, each) => (most === null || each === null ? null : Math.max(most, each)));
}
