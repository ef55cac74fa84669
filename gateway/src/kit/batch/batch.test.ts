import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createBatcher } from "./batch.ts";

class Full extends Error {}

/** Lets everything continue that waits only for promises. */
async function settleMicrotasks(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

function doubling(options: { maxItems?: number; maxQueue?: number } = {}) {
  const batches: number[][] = [];
  let gate: PromiseWithResolvers<void> | undefined;
  const batcher = createBatcher<number, number>({
    maxItems: options.maxItems ?? 100,
    maxQueue: options.maxQueue ?? 1_000,
    overflow: () => new Full(),
    async run(items) {
      batches.push([...items]);
      await gate?.promise;
      return items.map((item) => item * 2);
    },
    rerun: () => Promise.reject(new Error("not needed")),
  });
  return {
    batcher,
    batches,
    hold() {
      gate = Promise.withResolvers();
      return () => {
        gate?.resolve();
        gate = undefined;
      };
    },
  };
}

describe("batcher: shared round trips", () => {
  test("items submitted in one turn share a batch, and a single item does not wait", async () => {
    const { batcher, batches } = doubling();
    expect(await Promise.all([1, 2, 3].map((item) => batcher.submit(item)))).toEqual([2, 4, 6]);
    expect(await batcher.submit(4)).toBe(8);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  test("items submitted while a batch runs go into the next one", async () => {
    const { batcher, batches, hold } = doubling();
    const open = hold();
    const first = batcher.submit(1);
    await settleMicrotasks();
    const others = [2, 3].map((item) => batcher.submit(item));
    expect(batcher.waiting).toBe(2);
    open();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test("slow callers of a large batch are resumed over several turns of the loop, in order", async () => {
    const { batcher, batches } = doubling();
    const ended: number[] = [];
    const perTurn: number[] = [];
    const items = Array.from({ length: 100 }, (_, at) => at);
    const busyFor2Ms = () => {
      for (const endMs = performance.now() + 2; performance.now() < endMs; );
    };
    const severalSteps = async () => {
      for (let step = 0; step < 10; step++) await undefined;
    };
    const all = Promise.all(
      items.map((item) =>
        batcher
          .submit(item)
          // The slow part comes late, so that the first step does not show it.
          .then(severalSteps)
          .then(busyFor2Ms)
          .then(() => void ended.push(item)),
      ),
    );
    for (let before = 0; ended.length < items.length; before = ended.length) {
      await settleMicrotasks();
      perTurn.push(ended.length - before);
    }
    await all;
    expect(ended).toEqual(items);
    expect(batches).toHaveLength(1);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(16);
  });

  test("an item that does not fit the queue is refused, and there is room again afterwards", async () => {
    const { batcher, hold } = doubling({ maxQueue: 2 });
    const open = hold();
    const first = batcher.submit(1);
    await settleMicrotasks();
    const waiting = [batcher.submit(2), batcher.submit(3)];
    await expect(batcher.submit(4)).rejects.toBeInstanceOf(Full);
    open();
    expect(await Promise.all([first, ...waiting])).toEqual([2, 4, 6]);
    expect(await batcher.submit(5)).toBe(10);
  });
});

/** True for items that fail whatever is done, false for the others. */
const plan = fc.record({
  items: fc.array(fc.boolean(), { maxLength: 60 }),
  maxItems: fc.integer({ min: 1, max: 7 }),
  failedRuns: fc.array(fc.boolean(), { maxLength: 20 }),
});

describe("batcher: failures", () => {
  test("every item gets its own answer, in order, and no batch exceeds maxItems", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ items, maxItems, failedRuns }) => {
        const answered: number[] = [];
        const runs = [...failedRuns];
        // Never three in a row, or the batcher stops trying, which another test covers.
        const poisoned = new Set(items.flatMap((isBad, i) => (isBad && i % 3 !== 2 ? [i] : [])));
        const batcher = createBatcher<number, string>({
          maxItems,
          maxQueue: 1_000,
          overflow: () => new Full(),
          async run(batch) {
            expect(batch.length).toBeLessThanOrEqual(maxItems);
            if (runs.shift() || batch.some((item) => poisoned.has(item))) throw new Error("the whole batch");
            return batch.map((item) => `answer ${item}`);
          },
          async rerun(item) {
            if (poisoned.has(item)) throw new Error(`failure ${item}`);
            return `answer ${item}`;
          },
        });
        await Promise.all(
          items.map(async (_, item) => {
            const answer = await batcher.submit(item).catch((error: Error) => error.message);
            expect(answer).toBe(poisoned.has(item) ? `failure ${item}` : `answer ${item}`);
            answered.push(item);
          }),
        );
        expect(answered).toEqual(items.map((_, item) => item));
        expect(batcher.waiting).toBe(0);
      }),
    );
  });

  test("after three failures in a row the rest of the batch is not tried", async () => {
    const tried: number[] = [];
    const batcher = createBatcher<number, number>({
      maxItems: 100,
      maxQueue: 100,
      overflow: () => new Full(),
      run: () => Promise.reject(new Error("gone")),
      async rerun(item) {
        tried.push(item);
        throw new Error(`gone at ${item}`);
      },
    });
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
    expect(tried).toEqual([1, 2, 3]);
    expect(answers.map((answer) => answer.status === "rejected" && answer.reason.message)).toEqual([
      "gone at 1",
      "gone at 2",
      "gone at 3",
      "gone at 3",
      "gone at 3",
    ]);
  });

  test("one lock error fails all items of its owner, other owners are tried, and three such owners end the batch", async () => {
    const busy = new Error("somebody else has it");
    const answersOf = async (items: readonly string[], isBusy: (owner: string) => boolean) => {
      const tried: string[] = [];
      const ownerOf = (item: string) => item.charAt(0);
      const batcher = createBatcher<string, string>({
        maxItems: 100,
        maxQueue: 100,
        overflow: () => new Full(),
        run: () => Promise.reject(new Error("the whole batch")),
        async rerun(item) {
          tried.push(item);
          if (isBusy(ownerOf(item))) throw busy;
          if (item.endsWith("!")) throw new Error("the item itself");
          return "done";
        },
        lockedOut: { ownerOf, isIt: (error) => error === busy },
      });
      const submitted = items.map((item) => batcher.submit(item).catch((error: Error) => error.message));
      return { tried, answers: await Promise.all(submitted) };
    };
    const one = await answersOf(["a1", "a2", "a3", "b1!", "b2!", "a4", "b3", "c1"], (owner) => owner === "a");
    expect(one.tried).toEqual(["a1", "b1!", "b2!", "b3", "c1"]);
    const [locked, failed] = [busy.message, "the item itself"];
    expect(one.answers).toEqual([locked, locked, locked, failed, failed, locked, "done", "done"]);
    // If so many are locked out, each further try would make the others wait.
    const all = await answersOf(["a1", "a2", "b1", "c1", "d1"], () => true);
    expect(all.tried).toEqual(["a1", "b1", "c1"]);
  });

  test("a run that returns too few answers counts as failed, and later batches still run", async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>({
      maxItems: 10,
      maxQueue: 10,
      overflow: () => new Full(),
      run: async (items) => (runs++ === 0 ? [] : [...items]),
      rerun: async (item) => -item,
    });
    expect(await Promise.all([1, 2].map((item) => batcher.submit(item)))).toEqual([-1, -2]);
    expect(await batcher.submit(3)).toBe(3);
  });

  test("a run that throws synchronously counts as failed", async () => {
    const batcher = createBatcher<number, number>({
      maxItems: 10,
      maxQueue: 10,
      overflow: () => new Full(),
      run: () => {
        throw new Error("at once");
      },
      rerun: async (item) => item,
    });
    expect(await batcher.submit(7)).toBe(7);
  });

  test("a failed batch is reported although each of its items succeeds alone", async () => {
    const told: unknown[] = [];
    const batcher = createBatcher<number, number>({
      maxItems: 10,
      maxQueue: 10,
      overflow: () => new Full(),
      run: () => Promise.reject(new Error("function does not exist")),
      rerun: async (item) => item,
      onFailedBatch: (error, items) => told.push([String(error), items]),
    });
    expect(await Promise.all([1, 2].map((item) => batcher.submit(item)))).toEqual([1, 2]);
    expect(told).toEqual([["Error: function does not exist", 2]]);
  });
});
