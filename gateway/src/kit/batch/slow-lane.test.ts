import { expect, test } from "bun:test";
import type { Clock } from "../clock.ts";
import { createBatcher } from "./batch.ts";

const BUSY = new Error("somebody else has it");

/**
 * Items are an owner's letter and a number. Owners in `locked` are locked by somebody else; an item with `!` fails by
 * itself.
 */
function besideOthers() {
  const locked = new Set(["a"]);
  const abandoned = new Set<string>();
  const tried: string[] = [];
  const triedAlone: string[] = [];
  const clock: Clock & { ms: number } = { ms: 0, nowMs: () => 0, elapsedMs: () => clock.ms };
  const ownerOf = (item: string) => item.charAt(0);
  function requireFine(item: string): void {
    if (locked.has(ownerOf(item))) throw BUSY;
    if (item.endsWith("!")) throw new Error("the item itself");
  }
  /** Runs of `beside` wait for this before they answer. */
  let gate: PromiseWithResolvers<void> | null = null;
  const way = (name: string, isGated: boolean) => ({
    async run(items: readonly string[]) {
      tried.push(`${name} ${items.join(" ")}`);
      if (isGated) await gate?.promise;
      items.forEach(requireFine);
      return items.map((item) => `${item} ${name}`);
    },
    async rerun(item: string) {
      triedAlone.push(item);
      requireFine(item);
      return `${item} ${name} alone`;
    },
  });
  const batcher = createBatcher<string, string>({
    ...way("together", false),
    maxItems: 100,
    maxQueue: 100,
    overflow: () => new Error("full"),
    isAbandoned: (item) => abandoned.has(item),
    lockedOut: { ownerOf, isIt: (error) => error === BUSY, beside: way("beside", true) },
    clock,
  });
  const submit = (...items: string[]) =>
    Promise.all(items.map((item) => batcher.submit(item).catch((error: Error) => error.message)));
  return {
    batcher,
    locked,
    abandoned,
    tried,
    triedAlone,
    clock,
    submit,
    /** Holds back the runs that begin from now on. */
    hold() {
      gate = Promise.withResolvers();
      return gate.resolve;
    },
  };
}

test("a locked-out owner moves to the sideline, and others no longer wait for it", async () => {
  const { submit, tried, locked, hold, batcher } = besideOthers();
  expect(await submit("a1", "b1")).toEqual([BUSY.message, "b1 together alone"]);
  const letGo = hold();
  const beside = submit("a2", "a3");
  expect(await submit("b2", "c1")).toEqual(["b2 together", "c1 together"]);
  const next = submit("a4");
  expect(await submit("b3")).toEqual(["b3 together"]);
  expect(batcher.waiting).toBe(1);
  locked.clear();
  letGo();
  // In the order of arrival.
  expect([await beside, await next]).toEqual([["a2 beside", "a3 beside"], ["a4 beside"]]);
  expect(tried).toEqual(["together a1 b1", "together b2 c1", "beside a2 a3", "together b3", "beside a4"]);
  expect(await submit("a5", "b4")).toEqual(["a5 together", "b4 together"]);
});

test("items queued behind the batch that met the lock go to the sideline too", async () => {
  const { submit, tried, batcher } = besideOthers();
  const first = submit("a1", "b1");
  await Promise.resolve();
  const behind = submit("a2", "b2");
  expect(batcher.waiting).toBe(2);
  expect([await first, await behind]).toEqual([
    [BUSY.message, "b1 together alone"],
    [BUSY.message, "b2 together"],
  ]);
  expect(tried).toEqual(["together a1 b1", "together b2", "beside a2"]);
});

test("on the sideline, an owner that is free again is not held up by those still locked", async () => {
  const { submit, tried, triedAlone, locked } = besideOthers();
  for (const owner of ["b", "c", "d"]) locked.add(owner);
  for (const owner of ["a", "b", "c", "d"]) await submit(`${owner}1`);
  locked.delete("d");
  tried.length = triedAlone.length = 0;
  const [a2, b2, c2, a3, d2, d3] = await submit("a2", "b2", "c2", "a3", "d2", "d3");
  expect([a2, b2, c2, a3]).toEqual(Array(4).fill(BUSY.message));
  expect([d2, d3]).toEqual(["d2 beside", "d3 beside"]);
  expect(tried).toEqual(["beside a2 a3", "beside b2", "beside c2", "beside d2 d3"]);
  // Each would have waited for the lock again.
  expect(triedAlone).toEqual([]);
  expect(await submit("d4")).toEqual(["d4 together"]);
});

test("on the sideline, an item that fails by itself does not fail the others", async () => {
  const { submit, locked } = besideOthers();
  await submit("a1");
  locked.clear();
  expect(await submit("a2", "a3!", "a4")).toEqual(["a2 beside alone", "the item itself", "a4 beside alone"]);
});

test("on the sideline, an abandoned item is not run", async () => {
  const { submit, tried, abandoned, hold } = besideOthers();
  await submit("a1");
  const letGo = hold();
  const away = submit("a2");
  await submit("b1");
  const waiting = submit("a3");
  await submit("b2");
  abandoned.add("a3");
  letGo();
  expect([await away, await waiting]).toEqual([[BUSY.message], ["nobody waits for it any more"]]);
  expect(tried.filter((run) => run.startsWith("beside"))).toEqual(["beside a2"]);
});

test("an owner's items stay on the sideline, in order, while one of them is running there", async () => {
  const { submit, tried, locked, hold } = besideOthers();
  await submit("a1");
  locked.clear();
  const letFirstGo = hold();
  const first = submit("a2");
  await submit("b1");
  const letSecondGo = hold();
  const second = submit("a3");
  await submit("b2");
  letFirstGo();
  expect(await first).toEqual(["a2 beside"]);
  const third = submit("a4");
  await submit("b3");
  letSecondGo();
  expect([await second, await third]).toEqual([["a3 beside"], ["a4 beside"]]);
  expect(tried.filter((run) => run.includes("a"))).toEqual([
    "together a1",
    "beside a2",
    "beside a3",
    "beside a4",
  ]);
});

test("a lock is remembered for 30 seconds after it was last met", async () => {
  const { submit, tried, locked, clock } = besideOthers();
  await submit("a1");
  clock.ms = 29_999;
  await submit("a2");
  // Found to be locked again a moment ago.
  clock.ms = 59_998;
  await submit("a3");
  clock.ms = 89_998;
  locked.clear();
  expect(await submit("a4")).toEqual(["a4 together"]);
  expect(tried).toEqual(["together a1", "beside a2", "beside a3", "together a4"]);
});

test("at most 100 locked-out owners are remembered, until the first have expired", async () => {
  const { submit, tried, locked, clock } = besideOthers();
  const letters = Array.from({ length: 101 }, (_, at) => String.fromCharCode(0x100 + at));
  for (const letter of letters) {
    locked.add(letter);
    await submit(`${letter}1`);
  }
  const [first, last] = [letters[0], letters.at(-1)];
  tried.length = 0;
  await submit(`${first}2`, `${last}2`);
  expect(tried.toSorted()).toEqual([`beside ${first}2`, `together ${last}2`]);
  clock.ms = 30_000;
  await submit(`${last}3`);
  tried.length = 0;
  await submit(`${last}4`);
  expect(tried).toEqual([`beside ${last}4`]);
});
