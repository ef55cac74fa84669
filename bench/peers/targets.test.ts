import { describe, expect, test } from "bun:test";
import type { ContenderName } from "./contenders.ts";
import type { Measurement } from "./measure.ts";
import { nameOf, SCENARIOS } from "./scenario.ts";
import { summarize } from "./summary.ts";
import { fullTable, ratioTable, targetTable } from "./tables.ts";
import { judge } from "./targets.ts";

type Made = {
  readonly cpu: number | null;
  readonly p50: number;
  readonly rate: number;
  readonly mb?: number;
};

/** CPU microseconds per call; the bare proxy's 100 makes the ratios easy to read. */
const MADE: Readonly<Record<ContenderName, Made>> = {
  direct: { cpu: null, p50: 0.1, rate: 50_000 },
  "bare proxy": { cpu: 100, p50: 0.2, rate: 9_000, mb: 40 },
  "billed proxy": { cpu: 120, p50: 0.4, rate: 8_000, mb: 90 },
  "bursar, main": { cpu: 150, p50: 0.5, rate: 7_000, mb: 100 },
  "bursar, /v1": { cpu: 200, p50: 0.7, rate: 5_000, mb: 105 },
  portkey: { cpu: 2400, p50: 3, rate: 1_000, mb: 130 },
};
const NAMES = Object.keys(MADE) as ContenderName[];

/** Three rounds: in the second, the whole machine is twice as slow; in the third, a little slower. */
function madeUp(changes: Partial<Record<ContenderName, Made>> = {}, names = NAMES): Measurement[] {
  return SCENARIOS.flatMap((scenario) =>
    [1, 2, 1.1].flatMap((slowness, round) =>
      names
        .filter((name) => name !== "portkey" || scenario.form !== "stream")
        .map((contender) => {
          const { cpu, p50, rate, mb } = changes[contender] ?? MADE[contender];
          const cpuMicros = cpu === null ? null : cpu * 1000 * slowness;
          return {
            contender,
            scenario: nameOf(scenario),
            round,
            calls: 1000,
            seconds: (1000 / rate) * slowness,
            p50Ms: p50 * slowness,
            p99Ms: 10 * p50 * slowness,
            firstByteP50Ms: p50 * slowness,
            cpuMicros,
            cpuWithDatabaseMicros: cpuMicros === null ? null : cpuMicros + 50_000,
            residentMb: mb === undefined ? null : mb + round,
            loadCpuShare: 0.25,
            upstreamCpuShare: 0.5,
          };
        }),
    ),
  );
}

const FAST_DISK_MS = 0.1;
/** Of 100 KB, known and new, in one piece and streamed. */
const AT_LENGTH = ["met", "missed", "sought", "sought"] as const;
const verdicts = (measurements: Measurement[], fdatasyncMs = FAST_DISK_MS) =>
  judge(summarize(measurements), fdatasyncMs).map(({ verdict }) => verdict);

describe("bench targets", () => {
  test("are computed round by round from the measurements", () => {
    const found = judge(summarize(madeUp()), FAST_DISK_MS).map(({ found }) => Object.values(found));
    const expected = [
      [16, 12],
      [7, 5],
      [1.5, 2],
      [1.5, 2],
      [1.5, 2],
      [1.5, 2],
      [1.5, 2],
      [1.5, 2],
      [0.44, 0.66],
      [102, 107],
    ];
    expect(found.length).toBe(expected.length);
    for (const [at, pair] of expected.entries())
      for (const [side, value] of pair.entries()) expect(found[at]?.[side]).toBeCloseTo(value, 6);
  });

  test("are decided by the worse of both interfaces", () => {
    expect(verdicts(madeUp())).toEqual(["sought", "met", "met", "missed", ...AT_LENGTH, "met", "sought"]);
  });

  test("compared with the peer are not measured without it, and the others stay the same", () => {
    const alone = verdicts(
      madeUp(
        {},
        NAMES.filter((name) => name !== "portkey"),
      ),
    );
    expect(alone).toEqual(["not measured", "not measured", "met", "missed", ...AT_LENGTH, "met", "sought"]);
  });

  test("of latency are excused by a slow disk; others are not", () => {
    const slow = madeUp({ "bursar, main": { ...MADE["bursar, main"], p50: 2 } });
    expect(verdicts(slow)[8]).toBe("missed");
    expect(verdicts(slow, 0.4)[8]).toBe("disk too slow");
    expect(verdicts(madeUp(), 0.4)[3]).toBe("missed");
  });
});

describe("bench tables", () => {
  const summary = summarize(madeUp());

  test("show targets beside the disk's figure", () => {
    const { header, rows } = targetTable(judge(summary, FAST_DISK_MS), FAST_DISK_MS);
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    expect(rows[0]?.slice(1)).toEqual(["≥ 8 times less", "≥ 12 times less", "16.00", "12.00", "sought, met"]);
    expect(rows[3]?.at(-1)).toBe("**missed**");
    expect(rows.at(-1)?.[3]).toBe("0.10");
  });

  test("show ratios for every scenario, and leave them empty where the peer serves none", () => {
    const { header, rows } = ratioTable(summary, SCENARIOS);
    expect(rows.map(([name]) => name)).toEqual(SCENARIOS.map(nameOf));
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    const [piece, stream] = [rows[0], rows[2]].map((row) => row?.slice(1, 9));
    expect(piece).toEqual(["1.20", "1.50", "2.00", "24.00", "16.00", "12.00", "7.00", "5.00"]);
    expect(stream).toEqual(["1.20", "1.50", "2.00", "", "", "", "", ""]);
  });

  test("show the medians of all measurements in the full table", () => {
    const { header, rows } = fullTable(summary, SCENARIOS);
    expect(rows.length).toBe(SCENARIOS.length * NAMES.length);
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    expect(rows[3]).toEqual([
      "one piece, small, 64 connections: bursar, main",
      "6364",
      "0.55",
      "5.50",
      "0.55",
      "165",
      "215",
      "102",
      "25 %",
      "50 %",
    ]);
    expect(rows.find(([name]) => name === "stream, small, 1 connection: portkey")?.[1]).toBe("not served");
  });
});
