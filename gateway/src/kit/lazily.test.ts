import { expect, test } from "bun:test";
import { lazily } from "./lazily.ts";

test("lazily loads on first use, once for all callers", async () => {
  let loads = 0;
  const load = lazily(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test("a failed load rejects all who wait for it, and the next call tries again", async () => {
  let loads = 0;
  const load = lazily(async () => {
    loads += 1;
    if (loads === 1) throw new Error("a file was missing");
    return "loaded";
  });
  const [first, second] = await Promise.allSettled([load(), load()]);
  expect([first.status, second.status, loads]).toEqual(["rejected", "rejected", 1]);
  expect(await load()).toBe("loaded");
  expect(await load()).toBe("loaded");
  expect(loads).toBe(2);
});
