import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../kit/index.ts";
import { createExpectedTime, type ExpectedTime } from "./expected-time.ts";

const JUMP_MS = 40 * DAY_MS;

/** Real time passes; each of the three clocks may be off. */
let passedMs = 0;
let wallAheadMs = 0;
let databaseAheadMs = 0;
let acceptedMs: number | null = null;
let acceptedAheadMs: number | null = null;
let believedMs: number | null = null;
let isUnused = true;
const START_MS = Date.parse("2031-01-01T00:00:00Z");
const clock = { nowMs: () => START_MS + passedMs + wallAheadMs, elapsedMs: () => passedMs };
let time: ExpectedTime;

beforeEach(() => {
  [passedMs, wallAheadMs, databaseAheadMs, acceptedMs, acceptedAheadMs] = [0, 0, 0, null, null];
  [believedMs, isUnused] = [null, true];
  time = createExpectedTime(clock);
});

/** Looks every five seconds, as the renewal of a lease does. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 5 * SECOND_MS) {
    passedMs += 5 * SECOND_MS;
    time.observe({ nowMs: databaseNow(), acceptedMs, acceptedAheadMs, believedMs, isUnused });
  }
}
const databaseNow = (): number => START_MS + passedMs + databaseAheadMs;
const accept = (): void => {
  [acceptedMs, acceptedAheadMs] = [databaseNow(), databaseAheadMs - wallAheadMs];
};
const aheadOf = (text: string): number => Date.parse(text) - START_MS - passedMs;
const expectedAheadMs = (): number => aheadOf(time.text());

test("a slow drift is followed", () => {
  for (let n = 0; n < 100; n++) {
    databaseAheadMs += SECOND_MS;
    pass(5 * SECOND_MS);
  }
  expect([time.isDoubted, expectedAheadMs()]).toEqual([false, 100 * SECOND_MS]);
});

test.each([JUMP_MS, -JUMP_MS, MINUTE_MS + 1, -MINUTE_MS - 1])(
  "a jump by %d ms is doubted until it is undone",
  (jump) => {
    pass(MINUTE_MS);
    databaseAheadMs = jump;
    pass(5 * MINUTE_MS);
    expect([time.isDoubted, expectedAheadMs()]).toEqual([true, 0]);
    databaseAheadMs = 0;
    pass(1);
    expect([time.isDoubted, expectedAheadMs()]).toEqual([false, 0]);
  },
);

test("a new time is never believed while it differs from the machine's clock", () => {
  databaseAheadMs = JUMP_MS;
  pass(60 * MINUTE_MS);
  expect([time.isDoubted, expectedAheadMs()]).toEqual([true, 0]);
});

test("a new time that agrees with the machine's clock is believed after ten steady minutes, and not before", () => {
  databaseAheadMs = wallAheadMs = JUMP_MS;
  pass(10 * MINUTE_MS);
  expect(time.isDoubted).toBe(true);
  pass(1);
  expect([time.isDoubted, expectedAheadMs()]).toEqual([false, JUMP_MS]);
});

test("the ten minutes begin anew when the clock jumps again, and when the machine's clock has differed", () => {
  databaseAheadMs = wallAheadMs = JUMP_MS;
  pass(9 * MINUTE_MS);
  databaseAheadMs = wallAheadMs = 2 * JUMP_MS;
  pass(9 * MINUTE_MS);
  wallAheadMs = 0;
  pass(1);
  wallAheadMs = 2 * JUMP_MS;
  pass(9 * MINUTE_MS);
  expect([time.isDoubted, expectedAheadMs()]).toEqual([true, 0]);
});

test("a time that an operator accepts is believed at once; an acceptance of before is no longer one", () => {
  databaseAheadMs = JUMP_MS;
  pass(MINUTE_MS);
  accept();
  pass(1);
  expect([time.isDoubted, expectedAheadMs()]).toEqual([false, JUMP_MS]);
  pass(5 * MINUTE_MS);
  databaseAheadMs = 2 * JUMP_MS;
  pass(1);
  expect(time.isDoubted).toBe(true);
});

test("a start in a jump doubts it; one beside a machine's clock whose error was accepted does not", () => {
  databaseAheadMs = JUMP_MS;
  pass(1);
  expect(time.isDoubted).toBe(true);
  [databaseAheadMs, wallAheadMs] = [0, -5 * MINUTE_MS];
  time = createExpectedTime(clock);
  accept();
  pass(5 * MINUTE_MS);
  time = createExpectedTime(clock);
  pass(1);
  expect([time.isDoubted, expectedAheadMs()]).toEqual([false, 0]);
});

test("that two clocks were accepted because they agreed shortens no doubt about them", () => {
  wallAheadMs = 3;
  accept();
  databaseAheadMs = wallAheadMs = JUMP_MS;
  pass(9 * MINUTE_MS);
  expect(time.isDoubted).toBe(true);
});

describe("a start after a time in which nothing ran", () => {
  const PAUSE_MS = 3 * DAY_MS;
  const state = () => [time.isDoubted, time.unusedSince !== null, aheadOf(time.textAfterPause())];
  beforeEach(() => {
    believedMs = START_MS - PAUSE_MS;
  });

  test("expects the last time that was believed for ten minutes, but of what a pause does not stop", () => {
    pass(10 * MINUTE_MS);
    expect(state()).toEqual([true, true, 0]);
    expect(Math.abs(expectedAheadMs() + PAUSE_MS)).toBeLessThanOrEqual(5 * SECOND_MS);
    pass(1);
    expect([...state(), expectedAheadMs()]).toEqual([false, false, 0, 0]);
  });

  test("that an operator accepts, or that follows within a minute, is not doubted", () => {
    pass(1);
    accept();
    pass(1);
    expect(state()).toEqual([false, false, 0]);
    time = createExpectedTime(clock);
    [believedMs, acceptedMs] = [databaseNow() - MINUTE_MS + 5 * SECOND_MS, null];
    pass(1);
    expect(state()).toEqual([false, false, 0]);
  });

  test("is in a jump where the clock jumps again, differs from the machine's or a process doubts it", () => {
    pass(MINUTE_MS);
    databaseAheadMs = wallAheadMs = JUMP_MS;
    pass(1);
    expect(state().slice(0, 2)).toEqual([true, false]);
    expect(time.textAfterPause()).toBe(time.text());
    [databaseAheadMs, wallAheadMs] = [0, 2 * MINUTE_MS];
    time = createExpectedTime(clock);
    pass(1);
    expect(state().slice(0, 2)).toEqual([true, false]);
    [wallAheadMs, isUnused] = [0, false];
    time = createExpectedTime(clock);
    pass(1);
    expect(state().slice(0, 2)).toEqual([true, false]);
  });
});
