import { expect, test } from "bun:test";
import { AskError, UNREACHABLE } from "./ask.ts";
import { waitAndAsk } from "./wait-and-ask.ts";

test("a request refused with too_many is retried after its wait, a few times; other errors are not", () => {
  const tooOften = new AskError({ code: "too_many", message: "", retryAfterSeconds: 3 });
  expect([waitAndAsk.retry(0, tooOften), waitAndAsk.retryDelay(0, tooOften)]).toEqual([true, 3_000]);
  expect(waitAndAsk.retry(5, tooOften)).toBe(false);
  expect(waitAndAsk.retry(0, new AskError(UNREACHABLE))).toBe(false);
  expect(waitAndAsk.retry(0, new Error("another"))).toBe(false);
});
