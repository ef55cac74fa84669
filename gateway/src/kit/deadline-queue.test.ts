import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createDeadlineQueue, createDeadlineQueues, type DeadlineQueue } from "./deadline-queue.ts";

const expired = (queue: DeadlineQueue) =>
  new Promise<number>((resolve) => queue.add(null, () => resolve(performance.now())));

describe("DeadlineQueue", () => {
  test("each deadline expires after its delay, never before, in the order of addition", async () => {
    const queue = createDeadlineQueue(5);
    const startedMs = performance.now();
    const order: number[] = [];
    queue.add(null, () => order.push(1));
    queue.add(null, () => order.push(2));
    expect((await expired(queue)) - startedMs).toBeGreaterThanOrEqual(5);
    expect(order).toEqual([1, 2]);
  });

  test("a cleared deadline never expires, and clearing twice or late is harmless", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 20 }), async (clears) => {
        const queue = createDeadlineQueue(1);
        const order: number[] = [];
        const deadlines = clears.map((_, at) => queue.add(null, () => order.push(at)));
        clears.forEach((clear, at) => {
          if (!clear) return;
          deadlines[at]?.clear();
          deadlines[at]?.clear();
        });
        await expired(queue);
        expect(order).toEqual(clears.flatMap((clear, at) => (clear ? [] : [at])));
        for (const deadline of deadlines) deadline.clear();
      }),
      { numRuns: 20 },
    );
  });

  test("works after it was empty, and when an expiry adds or clears other deadlines", async () => {
    const queue = createDeadlineQueue(1);
    await expired(queue);
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      queue.add(null, () => {
        second.clear();
        queue.add(null, () => {
          order.push("added");
          resolve();
        });
      });
      const second = queue.add(null, () => order.push("cleared"));
    });
    expect(order).toEqual(["added"]);
  });
});

test("the same delay gets the same queue", () => {
  const queueOf = createDeadlineQueues();
  expect(queueOf(5)).toBe(queueOf(5));
  expect(queueOf(5)).not.toBe(queueOf(6));
});
