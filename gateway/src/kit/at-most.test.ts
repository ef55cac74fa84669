import { expect, test } from "bun:test";
import { atMost } from "./at-most.ts";

test("atMost returns as soon as the work is done", async () => {
  expect(await atMost(Promise.resolve(), 2 ** 31 - 1)).toBe(true);
});

test("atMost rejects if the work fails in time and ignores a later failure", async () => {
  await expect(atMost(Promise.reject(new Error("early")), 60_000)).rejects.toThrow("early");
  const work = Promise.withResolvers<void>();
  expect(await atMost(work.promise, 1)).toBe(false);
  work.reject(new Error("late"));
  await new Promise(setImmediate);
});
