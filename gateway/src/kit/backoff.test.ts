import { expect, test } from "bun:test";
import { Backoff } from "./backoff.ts";

test("pauses grow to two seconds and end when no time is left for an attempt", () => {
  let elapsedMs = 1_000;
  const backoff = new Backoff(10_000, { nowMs: () => 0, elapsedMs: () => elapsedMs });
  const pauses: number[] = [];
  for (;;) {
    const pauseMs = backoff.nextPauseMs();
    if (pauseMs === null) break;
    pauses.push(pauseMs);
    elapsedMs += pauseMs;
  }
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  expect(backoff.leftMs()).toBe(850);
  elapsedMs += 5_000;
  expect(backoff.leftMs()).toBe(0);
});

test("a pause that ends exactly at the limit is allowed", () => {
  const still = { nowMs: () => 0, elapsedMs: () => 0 };
  expect(new Backoff(50, still).nextPauseMs()).toBe(50);
  expect(new Backoff(49, still).nextPauseMs()).toBeNull();
});
