import { expect, test } from "bun:test";
import { retryAfterSecondsOf } from "./retry-after.ts";

const nowMs = Date.parse("2026-11-15T12:00:00Z");

test.each([
  [{ "retry-after": "7" }, 7],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "-3" }, 0],
  [{ "retry-after": "1e400" }, 60],
  [{ "retry-after": "99999999999999999999" }, 60],
  [{ "retry-after": "Sun, 15 Nov 2026 12:00:20 GMT" }, 20],
  [{ "retry-after": "Sun, 15 Nov 2020 12:00:20 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "" }, null],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 2],
  [{ "retry-after-ms": "NaN", "retry-after": "9" }, 9],
  [{ "x-ratelimit-reset": String(nowMs / 1_000 + 12) }, 12],
  [{ "x-ratelimit-reset": String(nowMs + 12_000) }, 12],
  [{ "x-ratelimit-reset": "5" }, 5],
  [{ "x-ratelimit-reset-requests": "120ms" }, 1],
  [{ "x-ratelimit-reset-requests": "6m0s" }, 60],
  [{ "x-ratelimit-reset-requests": "7.66s" }, 8],
  [{}, null],
] as [Record<string, string>, number | null][])("%j waits %p", (headers, seconds) => {
  expect(retryAfterSecondsOf(new Headers(headers), { nowMs })).toBe(seconds);
});

test("a delay in the body counts if no header has one", () => {
  expect(retryAfterSecondsOf(new Headers(), { retryDelay: "48.9s", nowMs })).toBe(49);
});
