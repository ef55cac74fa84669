import { expect, test } from "bun:test";
import { AppError } from "../../kit/index.ts";
import { CallWork } from "./call-work.ts";
import type { Turns } from "./turns.ts";

const rate = { limit: 60, remaining: 59, resetSeconds: 30 };

test.each([
  ["a wrong field", new AppError("validation_error", "x"), true],
  ["a rate that is reached", new AppError("rate_limit_exceeded", "x", { rate }), true],
  ["a repeat whose key is taken", new AppError("validation_error", "x", { status: 409, rate }), true],
  ["a provider that refused it", new AppError("validation_error", "x", { rate }), false],
  ["a provider that failed", new AppError("internal_error", "x", { status: 502, rate }), false],
])("the work for a call that ends by %s was for nothing or not", async (_, error, isWasted) => {
  let refused = 0;
  const turns = { spent() {}, refused: () => void refused++ } as unknown as Turns;
  const work = new CallWork(turns, "owner");
  work.begin();
  work.end();
  await expect(Promise.resolve(work.watched(Promise.reject(error)))).rejects.toBe(error);
  expect(refused > 0).toBe(isWasted);
});
