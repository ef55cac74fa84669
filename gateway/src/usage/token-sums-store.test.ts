import { afterAll, beforeEach, expect, test } from "bun:test";
import { createTestDatabase } from "../db/testing.ts";
import { createTokenSumStore, type TokenSums } from "./token-sums-store.ts";

const database = await createTestDatabase();
const store = createTokenSumStore(database.db);
beforeEach(async () => {
  await database.db.pool.query("truncate own_token_corrections");
});
afterAll(() => database.drop());

/** Adds to what all nodes have seen, and reads all of it. */
const addAll = (seen: readonly TokenSums[]) => store.add(seen, "ever");

const ORG = crypto.randomUUID();
const sums = (fields: Partial<TokenSums> = {}): TokenSums => ({
  orgId: ORG,
  model: "a-model",
  kind: "plain",
  estimated: 0,
  reported: 0,
  calls: 0,
  beyond: 0,
  ...fields,
});

test("the sums of several nodes are added up per model and kind", async () => {
  await addAll([sums({ estimated: 100, reported: 120 }), sums({ kind: "tools", calls: 2, beyond: 1_000 })]);
  const all = await addAll([
    sums({ model: "b-model", calls: 1, beyond: -5 }),
    sums({ kind: "tools", calls: 1, beyond: 500 }),
  ]);
  const found = new Map(all.map((row) => [`${row.model} ${row.kind}`, row]));
  expect(found.size).toBe(3);
  expect(found.get("a-model plain")).toEqual(sums({ estimated: 100, reported: 120 }));
  expect(found.get("b-model plain")).toEqual(sums({ model: "b-model", calls: 1, beyond: -5 }));
  expect(found.get("a-model tools")?.calls).toBeCloseTo(3, 1);
  expect(found.get("a-model tools")?.beyond).toBeCloseTo(1_495, 0);
});

test("adding nothing returns the sums and writes nothing", async () => {
  expect(await addAll([])).toEqual([]);
  await addAll([sums({ estimated: 7, reported: 8 })]);
  const before = await database.db.pool.query("select updated_at from own_token_corrections");
  expect(await addAll([])).toEqual([sums({ estimated: 7, reported: 8 })]);
  const after = await database.db.pool.query("select updated_at from own_token_corrections");
  expect(after.rows).toEqual(before.rows);
});

test("old sums fade, and the sums stay bounded", async () => {
  for (let minute = 0; minute < 30; minute++) {
    await addAll([sums({ estimated: 1e6, reported: 1e6, calls: 200, beyond: 0 })]);
  }
  let [now] = await addAll([]);
  expect(now?.estimated).toBeLessThan(2.1e6);
  expect(now?.calls).toBeLessThan(410);
  for (let minute = 0; minute < 12; minute++) {
    [now] = await addAll([sums({ estimated: 1e6, reported: 1.5e6, calls: 200, beyond: 60_000 })]);
  }
  expect((now?.reported ?? 0) / (now?.estimated ?? 1)).toBeCloseTo(1.5, 2);
  expect((now?.beyond ?? 0) / (now?.calls ?? 1)).toBeCloseTo(300, 0);
});

test("nodes that add concurrently lose nothing and do not deadlock", async () => {
  const models = Array.from({ length: 20 }, (_, at) => sums({ model: `m${at}`, calls: 0.5, beyond: 1 }));
  await Promise.all(
    Array.from({ length: 8 }, (_, node) => addAll(node % 2 === 0 ? models : models.toReversed())),
  );
  const all = await addAll([]);
  expect(all).toHaveLength(20);
  for (const { calls } of all) expect(calls).toBeCloseTo(4, 0);
});

test("sums of organizations are added up separately, and recently changed ones can be read alone", async () => {
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  const first = { ...sums({ estimated: 100, reported: 120 }), orgId: a };
  expect(await store.add([first], "ever")).toEqual([first]);
  const second = { ...sums({ kind: "tools", calls: 2, beyond: 9 }), orgId: b };
  expect(await store.add([second], "lately")).toEqual([first, second]);
  await database.db.pool.query(
    "update own_token_corrections set updated_at = bursar_now() - interval '1 hour' where org_id = $1",
    [a],
  );
  expect(await store.add([], "lately")).toEqual([second]);
  expect(await store.add([], "ever")).toEqual([first, second]);
  const [, more] = await store.add([first], "lately");
  expect(more?.estimated).toBeCloseTo(200, 1);
  await database.db.pool.query(
    "update own_token_corrections set updated_at = bursar_now() - interval '91 days'",
  );
  expect(await store.add([], "ever")).toEqual([]);
});
