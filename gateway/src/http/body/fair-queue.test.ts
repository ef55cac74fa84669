import { expect, test } from "bun:test";
import { createTurns, type Turns } from "./fair-queue.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits for its turn, works for this long, and records that it had its turn. */
async function work(turns: Turns, owner: string, ms: number, order: string[]): Promise<void> {
  await turns.take(owner);
  order.push(owner);
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
  turns.spent(owner, ms);
}

test("owners take turns: an owner with many waiting calls lets the others pass", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const crowd = Array.from({ length: 5 }, () => work(turns, "crowd", 3, order));
  await Promise.all([work(turns, "a", 3, order), work(turns, "b", 3, order), ...crowd]);
  expect(order).toEqual(["crowd", "crowd", "a", "b", "crowd", "crowd", "crowd"]);
});

test("quick work continues in the same turn of the event loop; long work is followed by a pause", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const quick = Array.from({ length: 3 }, () => work(turns, "quick", 0, order));
  await Promise.resolve();
  await nextTurn();
  expect(order).toHaveLength(3);
  await Promise.all(quick);
  const startedMs = performance.now();
  await Promise.all([work(turns, "slow", 20, order), work(turns, "slow", 20, order)]);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(44);
});

test("a call that goes on comes before its owner's others and after those of the others, and is never refused", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const first = turns.take("long").then(async () => {
    order.push("begun");
    const others = [work(turns, "long", 0, order), work(turns, "short", 0, order)];
    await turns.again("long", 20);
    order.push("went on");
    turns.spent("long", 0);
    await Promise.all(others);
  });
  await first;
  expect(order).toEqual(["begun", "short", "went on", "long"]);
  tell(turns, "full", 4, () => true);
  const waiting = Array.from({ length: 32 }, () => turns.take("full").then(() => turns.spent("full", 0)));
  const refused = expect(turns.take("full")).rejects.toMatchObject(full);
  const again = turns.again("full", 1).then(() => turns.spent("full", 0));
  await Promise.all([refused, again, ...waiting]);
});

test("an owner whose work was expensive must wait for its turn; others need not", async () => {
  const turns = createTurns();
  expect(turns.mustWait("dear")).toBe(false);
  turns.spent("dear", 5);
  turns.spent("cheap", 1);
  expect([turns.mustWait("dear"), turns.mustWait("cheap")]).toEqual([true, false]);
});

test("an owner whose calls are refused pauses for several times its work; others do not", async () => {
  const turns = createTurns();
  const order: string[] = [];
  await work(turns, "poor", 5, order);
  turns.refused("poor", 5);
  const startedMs = performance.now();
  await work(turns, "poor", 5, order);
  const next = turns.take("poor");
  await work(turns, "rich", 0, order);
  expect(order).toEqual(["poor", "poor", "rich"]);
  await next;
  // By then, half of its work was for refused calls.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(5 + 22);
});

/** This many calls of an owner, one after the other, some of which are refused. */
function tell(turns: Turns, owner: string, calls: number, isRefused: (call: number) => boolean): void {
  for (let call = 0; call < calls; call++) {
    turns.spent(owner, 1);
    if (isRefused(call)) turns.refused(owner, 1);
  }
}

const full = { status: 503, options: { retryAfterSeconds: 1 } };

test.each<[string, number, (call: number) => boolean]>([
  ["whose only call was refused", 1, () => true],
  ["with a third of its calls refused", 60, (call) => call % 3 === 0],
])("an owner %s may have 1,024 calls wait", async (_, calls, isRefused) => {
  const turns = createTurns();
  tell(turns, "mixed", calls, isRefused);
  const outcomes = Array.from({ length: 1_024 }, () =>
    turns.take("mixed").then(() => turns.spent("mixed", 0)),
  );
  await Promise.all(outcomes);
});

test("an owner with most of its calls refused may have only 32 calls wait", async () => {
  const turns = createTurns();
  tell(turns, "bad", 20, (call) => call % 4 !== 0);
  const waiting = Array.from({ length: 32 }, () => turns.take("bad"));
  await expect(turns.take("bad")).rejects.toMatchObject(full);
  for (const turn of waiting) {
    await turn;
    turns.spent("bad", 0);
  }
});

test("an owner told to retry later is treated like others after that time, unless it had other refusals", async () => {
  const turns = createTurns();
  for (let call = 0; call < 40; call++) {
    turns.refused("early", 1, 30);
    turns.refused("wrong", 1, 30);
    turns.refused("wrong", 1);
  }
  const isBraked = async (owner: string) => {
    const taken = Array.from({ length: 40 }, () => turns.take(owner).then(() => turns.spent(owner, 0)));
    const outcomes = await Promise.allSettled(taken);
    return outcomes.some(({ status }) => status === "rejected");
  };
  expect([await isBraked("early"), await isBraked("wrong")]).toEqual([true, true]);
  await Bun.sleep(40);
  expect([await isBraked("early"), await isBraked("wrong")]).toEqual([false, true]);
});

test("one refused call among forty does not delay the next calls", async () => {
  const turns = createTurns();
  tell(turns, "good", 40, (call) => call === 0);
  // Waits for the pauses after the first calls, when much of the work was still for a refused one.
  await Bun.sleep(20);
  let had = 0;
  const few = Array.from({ length: 5 }, async () => {
    await turns.take("good");
    had += 1;
    turns.spent("good", 1);
  });
  await nextTurn();
  expect(had).toBe(5);
  await Promise.all(few);
});
