import { expect, test } from "bun:test";
import { lazily } from "./lazily.ts";

test("nothing is loaded before it is asked for, and then once for all who ask", async () => {
  let loads = 0;
  const load = lazily(async () => ++loads);
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test("all who wait for a load that fails are told; the next one who asks tries again", async () => {
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
