import { expect, test } from "bun:test";
import { createAskAllowance } from "./ask-allowance.ts";

function allowance(bounds: { maxRemembered?: number } = {}) {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs };
  const { take } = createAskAllowance({ clock, atOnce: 10, perSecond: 2, ...bounds });
  return {
    take,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test("a burst is allowed, then the refill rate; a refused request costs nothing", () => {
  const { take, pass } = allowance();
  expect([take("ana", 4), take("ana", 4), take("ana", 4), take("ana", 2), take("ana", 1)]).toEqual([
    0, 0, 1, 0, 1,
  ]);
  expect(take("ana", 5)).toBe(3);
  pass(500);
  expect([take("ana", 1), take("ana", 1)]).toEqual([0, 1]);
  pass(60_000);
  expect([take("ana", 10), take("ana", 1)]).toEqual([0, 1]);
});

test("each person has an allowance of their own", () => {
  const { take } = allowance();
  expect([take("ana", 10), take("ben", 10), take("ana", 1)]).toEqual([0, 0, 1]);
});

test("above the number of people to remember, the one idle longest is forgotten", () => {
  const { take } = allowance({ maxRemembered: 2 });
  take("ana", 5);
  take("ben", 10);
  take("ana", 5);
  take("cem", 1);
  expect([take("ana", 1), take("ben", 1)]).toEqual([1, 0]);
});
