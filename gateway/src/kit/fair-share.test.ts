import { expect, test } from "bun:test";
import { createFairShares, mayTake } from "./fair-share.ts";

/** How many places each gets, one after the other, if each takes all it may. */
function taken(most: number, perLeft: number, asking: number): number[] {
  const shares: number[] = [];
  for (let who = 0; who < asking; who++) {
    const others = shares.reduce((sum, share) => sum + share, 0);
    let own = 0;
    while (mayTake({ most, taken: others + own, own, perLeft }, 1)) own++;
    shares.push(own);
  }
  return shares;
}

test("mayTake: the first owner leaves room for the next, and each gets one while any is left", () => {
  expect(taken(12, 1, 5)).toEqual([6, 3, 1, 1, 1]);
  expect(taken(12, 2, 4)).toEqual([8, 2, 1, 1]);
  expect(taken(12, 1, 6).at(-1)).toBe(0);
});

test("mayTake: never more than the total", () => {
  expect(mayTake({ most: 4, taken: 3, own: 0, perLeft: 1 }, 2)).toBe(false);
  expect(mayTake({ most: 4, taken: 0, own: 0, perLeft: 1 }, 4)).toBe(true);
});

test("createFairShares: same limits, any size while nothing is taken, and what is given back is free again", () => {
  const shares = createFairShares({ most: 12 });
  expect([shares.take("big", 99), shares.take("other", 1), shares.taken]).toEqual([true, false, 99]);
  shares.giveBack("big", 99);
  const had = Array.from({ length: 10 }, () => shares.take("first", 1)).filter(Boolean).length;
  expect([had, shares.of("first"), shares.take("second", 1), shares.taken]).toEqual([8, 8, true, 9]);
});
