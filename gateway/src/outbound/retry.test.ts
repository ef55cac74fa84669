import { afterEach, describe, expect, jest, test } from "bun:test";
import { ProviderFailure } from "../contract/index.ts";
import { EarlyResetFailure } from "./failures/network-failure.ts";
import { createRetrier } from "./retry.ts";
import { never } from "./testing.ts";

const refused = new EarlyResetFailure("unavailable", "The model's provider could not be reached.");
const soon = () => 0;

afterEach(() => void jest.useRealTimers());

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
    ["unavailable", new ProviderFailure("unavailable", "x")],
    ["timeout", new ProviderFailure("timeout", "x")],
    ["an error of ours", new Error("ours")],
  ])("a call that may have reached the provider is not retried: %s", async (_name, error) => {
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

  test("a caller that leaves during the pause ends the call at once, without a retry", async () => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const call = flaky(1);
    const work = createRetrier({ random: () => 1 }).run(call.run, controller.signal);
    let end: unknown;
    void work.catch((error) => {
      end = error;
    });
    queueMicrotask(() => controller.abort("gone"));
    // No time passes meanwhile.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(end).toBe("gone");
    expect(call.calls).toBe(1);
  });
});
