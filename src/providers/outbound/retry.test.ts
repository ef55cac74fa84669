import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../contract.ts";
import { EarlyResetFailure } from "./network-failure.ts";
import { createRetrier } from "./retry.ts";
import { never } from "./testing.ts";

const refused = new EarlyResetFailure("unavailable", "The model's provider could not be reached.");
const soon = () => 0;

/** Fails this many times, then answers; counts its calls. */
function flaky(failures: number, error: unknown = refused) {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    async run() {
      calls += 1;
      if (calls <= failures) throw error;
      return "answer";
    },
  };
}

describe("retry", () => {
  test("a call that was reset early is retried once", async () => {
    const call = flaky(1);
    expect(await createRetrier({ random: soon }).run(call.run, never())).toBe("answer");
    expect(call.calls).toBe(2);
  });

  test("a second failure is final", async () => {
    const call = flaky(2);
    await expect(createRetrier({ random: soon }).run(call.run, never())).rejects.toBe(refused);
    expect(call.calls).toBe(2);
  });

  test.each([
    new ProviderFailure("unavailable", "x"),
    new ProviderFailure("timeout", "x"),
    new Error("ours"),
  ])("a call that may have reached the provider is not retried: %s", async (error) => {
    const call = flaky(1, error);
    await expect(createRetrier({ random: soon }).run(call.run, never())).rejects.toBe(error);
    expect(call.calls).toBe(1);
  });

  test("retries add at most about a tenth to the calls of a provider that is down", async () => {
    const retrier = createRetrier({ random: soon });
    const call = flaky(Number.POSITIVE_INFINITY);
    const total = 200;
    await Promise.allSettled(Array.from({ length: total }, () => retrier.run(call.run, never())));
    expect(call.calls).toBeGreaterThan(total);
    expect(call.calls).toBeLessThanOrEqual(total * 1.1 + 10);
  });

  test("a caller that leaves during the pause ends the call without a retry", async () => {
    const controller = new AbortController();
    const call = flaky(1);
    const work = createRetrier({ random: () => 1 }).run(call.run, controller.signal);
    queueMicrotask(() => controller.abort("gone"));
    await expect(work).rejects.toBe("gone");
    expect(call.calls).toBe(1);
  });
});
