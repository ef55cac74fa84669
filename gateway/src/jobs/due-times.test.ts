import { expect, test } from "bun:test";
import { createDueTimes } from "./due-times.ts";

test("the earliest time comes first, whatever the order of adding, and the others are not forgotten", () => {
  const times = createDueTimes();
  for (const atMs of [4_000, 1_000, 2_000]) times.add(atMs);
  const seen: number[] = [];
  for (let nowMs = times.earliestMs(); nowMs < Number.POSITIVE_INFINITY; nowMs = times.earliestMs()) {
    seen.push(nowMs);
    times.dropUntil(nowMs);
  }
  expect(seen).toEqual([1_000, 2_000, 4_000]);
});

test("ten thousand jobs that are due within a second need about fifty checks, none too early or 20 ms late", () => {
  const times = createDueTimes();
  const due = Array.from({ length: 10_000 }, (_, at) => 7.3 + at / 10);
  for (const atMs of due) times.add(atMs);
  let checks = 0;
  let served = 0;
  for (; times.earliestMs() < Number.POSITIVE_INFINITY; checks++) {
    const nowMs = times.earliestMs();
    const from = served;
    while ((due[served] ?? Number.POSITIVE_INFINITY) <= nowMs) served++;
    expect(served).toBeGreaterThan(from);
    expect(nowMs - (due[from] ?? 0)).toBeLessThan(20);
    times.dropUntil(nowMs);
  }
  expect(served).toBe(10_000);
  expect(checks).toBeLessThanOrEqual(51);
});
