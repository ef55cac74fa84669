import { expect, test } from "bun:test";
import { createShares } from "./shares.ts";

test("each owner and the total are limited, and what is given back can be taken again", () => {
  const shares = createShares({ all: 10, ofOne: 6 });
  expect([shares.take("a", 4), shares.take("a", 3), shares.take("a", 2)]).toEqual([true, false, true]);
  expect([shares.take("b", 5), shares.take("b", 4), shares.take("c", 1)]).toEqual([false, true, false]);
  expect([shares.of("a"), shares.of("b"), shares.of("c"), shares.taken]).toEqual([6, 4, 0, 10]);
  shares.giveBack("a", 6);
  expect([shares.of("a"), shares.taken, shares.take("c", 6)]).toEqual([0, 4, true]);
});
