import { expect, test } from "bun:test";
import { atMost } from "./at-most.ts";

test("what is done in time is not waited for any longer", async () => {
  expect(await atMost(Promise.resolve(), 2 ** 31 - 1)).toBe(true);
});

test("a failure in time is told, one that comes later is not left unhandled", async () => {
  await expect(atMost(Promise.reject(new Error("early")), 60_000)).rejects.toThrow("early");
  const work = Promise.withResolvers<void>();
  expect(await atMost(work.promise, 1)).toBe(false);
  work.reject(new Error("late"));
  await new Promise(setImmediate);
});
