import { expect, test } from "bun:test";
import { AppError } from "../../kit/index.ts";
import { CallWork } from "./call-work.ts";
import type { Turns } from "./turns.ts";

const rate = { limit: 60, remaining: 59, resetSeconds: 30 };

test.each([
  ["a wrong field", new AppError("validation_error", "x"), true],
  ["a reached rate limit", new AppError("rate_limit_exceeded", "x", { rate }), true],
  ["an idempotency key that is in use", new AppError("validation_error", "x", { status: 409, rate }), true],
  ["a refusal by the provider", new AppError("validation_error", "x", { rate }), false],
  ["a failure of the provider", new AppError("internal_error", "x", { status: 502, rate }), false],
])(
  "a call that ends with %s counts as refused only if the provider was not called",
  async (_, error, isWasted) => {
    let refused = 0;
    const turns = { spent() {}, refused: () => void refused++ } as unknown as Turns;
    const work = new CallWork(turns, "owner");
    work.begin();
    work.end();
    await expect(Promise.resolve(work.watched(Promise.reject(error)))).rejects.toBe(error);
    expect(refused > 0).toBe(isWasted);
  },
);
