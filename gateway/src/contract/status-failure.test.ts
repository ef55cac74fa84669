import { expect, test } from "bun:test";
import { failureKindOf } from "./status-failure.ts";

test.each([
  [400, "rejected"],
  [422, "rejected"],
  [402, "unauthorized"],
  [403, "unauthorized"],
  [408, "timeout"],
  [429, "rate_limited"],
  [302, "unavailable"],
  [418, "unavailable"],
  [504, "unavailable"],
  [529, "unavailable"],
] as const)("status %i of a provider is %s", (status, kind) => {
  expect(failureKindOf(status)).toBe(kind);
});
