import { expect, test } from "bun:test";
import { AppError, type Steps } from "../../kit/index.ts";
import { CallWork } from "./call-work.ts";
import type { FairQueue } from "./fair-queue.ts";

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
    const queue = { spent() {}, refused: () => void refused++ } as unknown as FairQueue;
    const work = new CallWork(queue, "owner");
    work.begin();
    work.end();
    await expect(Promise.resolve(work.watched(Promise.reject(error)))).rejects.toBe(error);
    expect(refused > 0).toBe(isWasted);
  },
);

/** What the queue was told, in order. */
function watchedQueue() {
  const told: string[] = [];
  const queue = {
    spent: () => void told.push("spent"),
    again: async (_owner: string, ms: number) => void told.push(ms >= 25 ? "again" : "too soon"),
    refused: (_owner: string, ms: number) => void told.push(ms >= 75 ? "refused all" : "refused"),
  } as unknown as FairQueue;
  return { told, queue };
}

/** Keeps the process busy for 25 ms per step. */
function* busySteps(count: number, told: string[]): Steps<string> {
  for (let step = 0; step < count; step++) {
    const untilMs = performance.now() + 25;
    while (performance.now() < untilMs);
    told.push("step");
    yield;
  }
  return "done";
}

test("long work waits for another turn after each step that takes long, and all of it counts", async () => {
  const { told, queue } = watchedQueue();
  const work = new CallWork(queue, "owner");
  work.begin();
  const working = work.inTurns(busySteps(3, told));
  // The call begins to wait, as it does when its handler returns.
  work.end();
  expect(told).toEqual(["step", "again"]);
  expect(await working).toBe("done");
  work.end();
  expect(told).toEqual(["step", "again", "step", "again", "step", "again", "spent"]);
});

test("short work is done at once, and so is that of a small body", () => {
  const { told, queue } = watchedQueue();
  const small = new CallWork(queue, "owner");
  expect(small.inTurns(busySteps(2, told))).toBe("done");
  const short = new CallWork(queue, "owner");
  short.begin();
  expect(short.inTurns(busySteps(0, told))).toBe("done");
  expect(told).toEqual(["step", "step"]);
});

test("a refusal after several turns counts with the work of all of them", async () => {
  const { told, queue } = watchedQueue();
  function* refusedSteps(): Steps<Response> {
    yield* busySteps(3, told);
    throw new AppError("validation_error", "too long");
  }
  const work = new CallWork(queue, "owner");
  work.begin();
  const working = Promise.resolve(work.inTurns(refusedSteps())).finally(() => work.end());
  work.end();
  await expect(Promise.resolve(work.watched(working))).rejects.toThrow("too long");
  expect(told.at(-1)).toBe("refused all");
});
