import { expect, test } from "bun:test";
import { firstOfAll, firstOwner } from "./take-batch.ts";

const ownerOf = (entry: string) => entry.charAt(0);

test("firstOfAll takes the first items, up to the maximum", () => {
  expect(firstOfAll(["a1", "b1", "a2"], 2)).toEqual({ batch: ["a1", "b1"], rest: ["a2"] });
  expect(firstOfAll(["a1", "b1"], 2)).toEqual({ batch: ["a1", "b1"], rest: [] });
});

test("firstOwner takes all items of the first owner, also behind others, up to the maximum", () => {
  const queue = ["a1", "b1", "a2", "c1", "a3", "b2"];
  expect(firstOwner(queue, 10, ownerOf)).toEqual({ batch: ["a1", "a2", "a3"], rest: ["b1", "c1", "b2"] });
  expect(firstOwner(queue, 2, ownerOf)).toEqual({ batch: ["a1", "a2"], rest: ["b1", "c1", "a3", "b2"] });
});
