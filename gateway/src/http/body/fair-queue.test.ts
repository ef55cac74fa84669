import { expect, test } from "bun:test";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits for its turn, works for this long, and records that it had its turn. */
async function work(queue: FairQueue, owner: string, ms: number, order: string[]): Promise<void> {
  await queue.take(owner);
  order.push(owner);
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
  queue.spent(owner, ms);
}

test("owners take turns: an owner with many waiting calls lets the others pass", async () => {
  const queue = createFairQueue();
  const order: string[] = [];
  const crowd = Array.from({ length: 5 }, () => work(queue, "crowd", 3, order));
  await Promise.all([work(queue, "a", 3, order), work(queue, "b", 3, order), ...crowd]);
  expect(order).toEqual(["crowd", "crowd", "a", "b", "crowd", "crowd", "crowd"]);
});

test("quick work continues in the same turn of the event loop; long work is followed by a pause", async () => {
  const queue = createFairQueue();
  const order: string[] = [];
  const quick = Array.from({ length: 3 }, () => work(queue, "quick", 0, order));
  await Promise.resolve();
  await nextTurn();
  expect(order).toHaveLength(3);
  await Promise.all(quick);
  const startedMs = performance.now();
  await Promise.all([work(queue, "slow", 20, order), work(queue, "slow", 20, order)]);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(44);
});

test("a call that goes on comes before its owner's others and after those of the others, and is never refused", async () => {
  const queue = createFairQueue();
  const order: string[] = [];
  const first = queue.take("long").then(async () => {
    order.push("begun");
    const others = [work(queue, "long", 0, order), work(queue, "short", 0, order)];
    await queue.again("long", 20);
    order.push("went on");
    queue.spent("long", 0);
    await Promise.all(others);
  });
  await first;
  expect(order).toEqual(["begun", "short", "went on", "long"]);
  tell(queue, "full", 4, () => true);
  const waiting = Array.from({ length: 32 }, () => queue.take("full").then(() => queue.spent("full", 0)));
  const refused = expect(queue.take("full")).rejects.toMatchObject(full);
  const again = queue.again("full", 1).then(() => queue.spent("full", 0));
  await Promise.all([refused, again, ...waiting]);
});

test("an owner whose work was expensive must wait for its turn; others need not", async () => {
  const queue = createFairQueue();
  expect(queue.mustWait("dear")).toBe(false);
  queue.spent("dear", 5);
  queue.spent("cheap", 1);
  expect([queue.mustWait("dear"), queue.mustWait("cheap")]).toEqual([true, false]);
});

test("an owner whose calls are refused pauses for several times its work; others do not", async () => {
  const queue = createFairQueue();
  const order: string[] = [];
  await work(queue, "poor", 5, order);
  queue.refused("poor", 5);
  const startedMs = performance.now();
  await work(queue, "poor", 5, order);
  const next = queue.take("poor");
  await work(queue, "rich", 0, order);
  expect(order).toEqual(["poor", "poor", "rich"]);
  await next;
  // By then, half of its work was for refused calls.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(5 + 22);
});

/** This many calls of an owner, one after the other, some of which are refused. */
function tell(queue: FairQueue, owner: string, calls: number, isRefused: (call: number) => boolean): void {
  for (let call = 0; call < calls; call++) {
    queue.spent(owner, 1);
    if (isRefused(call)) queue.refused(owner, 1);
  }
}

const full = { status: 503, options: { retryAfterSeconds: 1 } };

test.each<[string, number, (call: number) => boolean]>([
  ["whose only call was refused", 1, () => true],
  ["with a third of its calls refused", 60, (call) => call % 3 === 0],
])("an owner %s may have 1,024 calls wait", async (_, calls, isRefused) => {
  const queue = createFairQueue();
  tell(queue, "mixed", calls, isRefused);
  const outcomes = Array.from({ length: 1_024 }, () =>
    queue.take("mixed").then(() => queue.spent("mixed", 0)),
  );
  await Promise.all(outcomes);
});

test("an owner with most of its calls refused may have only 32 calls wait", async () => {
  const queue = createFairQueue();
  tell(queue, "bad", 20, (call) => call % 4 !== 0);
  const waiting = Array.from({ length: 32 }, () => queue.take("bad"));
  await expect(queue.take("bad")).rejects.toMatchObject(full);
  for (const turn of waiting) {
    await turn;
    queue.spent("bad", 0);
  }
});

test("an owner told to retry later is treated like others after that time, unless it had other refusals", async () => {
  const queue = createFairQueue();
  for (let call = 0; call < 40; call++) {
    queue.refused("early", 1, 30);
    queue.refused("wrong", 1, 30);
    queue.refused("wrong", 1);
  }
  const isBraked = async (owner: string) => {
    const taken = Array.from({ length: 40 }, () => queue.take(owner).then(() => queue.spent(owner, 0)));
    const outcomes = await Promise.allSettled(taken);
    return outcomes.some(({ status }) => status === "rejected");
  };
  expect([await isBraked("early"), await isBraked("wrong")]).toEqual([true, true]);
  await Bun.sleep(40);
  expect([await isBraked("early"), await isBraked("wrong")]).toEqual([false, true]);
});

test("one refused call among forty does not delay the next calls", async () => {
  const queue = createFairQueue();
  tell(queue, "good", 40, (call) => call === 0);
  // Waits for the pauses after the first calls, when much of the work was still for a refused one.
  await Bun.sleep(20);
  let had = 0;
  const few = Array.from({ length: 5 }, async () => {
    await queue.take("good");
    had += 1;
    queue.spent("good", 1);
  });
  await nextTurn();
  expect(had).toBe(5);
  await Promise.all(few);
});
