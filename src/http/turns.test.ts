import { expect, test } from "bun:test";
import { createTurns, type Turns } from "./turns.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits for its turn, works for so long, and says that it had it. */
async function work(turns: Turns, owner: string, ms: number, order: string[]): Promise<void> {
  await turns.take(owner);
  order.push(owner);
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
  turns.spent(owner, ms);
}

test("owners take turns, and whoever has many that wait lets others pass", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const crowd = Array.from({ length: 5 }, () => work(turns, "crowd", 3, order));
  await Promise.all([work(turns, "a", 3, order), work(turns, "b", 3, order), ...crowd]);
  expect(order).toEqual(["crowd", "crowd", "a", "b", "crowd", "crowd", "crowd"]);
});

test("what is quick goes on in the same turn of the loop; what takes long leaves it to others, and pauses", async () => {
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

test("an owner that was dear waits for its turn with less, too; others do not", async () => {
  const turns = createTurns();
  expect(turns.mustWait("dear")).toBe(false);
  turns.spent("dear", 5);
  turns.spent("cheap", 1);
  expect([turns.mustWait("dear"), turns.mustWait("cheap")]).toEqual([true, false]);
});

test("who is refused pauses nine times as long as its work took, and only some of its calls may wait", async () => {
  const turns = createTurns();
  const order: string[] = [];
  await work(turns, "poor", 5, order);
  turns.refused("poor");
  const startedMs = performance.now();
  await work(turns, "poor", 5, order);
  const waiting = Array.from({ length: 32 }, () => turns.take("poor"));
  await expect(turns.take("poor")).rejects.toMatchObject({ status: 503, options: { retryAfterSeconds: 1 } });
  await work(turns, "rich", 0, order);
  expect(order).toEqual(["poor", "poor", "rich"]);
  await waiting[0];
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(5 + 45);
});
