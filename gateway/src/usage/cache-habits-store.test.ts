import { afterAll, beforeEach, expect, test } from "bun:test";
import { createTestDatabase } from "../db/testing.ts";
import { DAY_MS, MINUTE_MS } from "../kit/index.ts";
import { type CacheHabit, createCacheHabitStore } from "./cache-habits-store.ts";

const database = await createTestDatabase();
const store = createCacheHabitStore(database.db);
beforeEach(async () => {
  await database.db.pool.query("truncate cache_habits");
});
afterAll(() => database.drop());

const ORG = crypto.randomUUID();
const habit = (fields: Partial<CacheHabit> = {}): CacheHabit => ({
  orgId: ORG,
  model: "a-model",
  shape: "0a",
  again: 0,
  firsts: 0,
  firstsRead: 0,
  laters: 0,
  latersRead: 0,
  ...fields,
});

test("the sums of several nodes are added up by organization, model and shape", async () => {
  const other = crypto.randomUUID();
  await store.add([habit({ firsts: 1 }), habit({ orgId: other, laters: 3, latersRead: 2 })], "ever");
  const all = await store.add([habit({ shape: "", firsts: 9 }), habit({ again: 1, laters: 1 })], "ever");
  expect(all).toHaveLength(3);
  expect(all).toContainEqual(habit({ orgId: other, laters: 3, latersRead: 2 }));
  expect(all).toContainEqual(habit({ shape: "", firsts: 9 }));
  const sum = all.find(({ orgId, shape }) => orgId === ORG && shape !== "");
  expect(sum).toMatchObject({ again: 1, laters: 1 });
  expect(sum?.firsts).toBeCloseTo(1, 1);
});

test("what calls do now counts more than what they did, and sums stay bounded", async () => {
  for (let minute = 0; minute < 20; minute++)
    await store.add([habit({ firsts: 200, firstsRead: 200 })], "ever");
  let [now] = await store.add([], "ever");
  expect(now?.firsts).toBeLessThan(401);
  for (let minute = 0; minute < 12; minute++) [now] = await store.add([habit({ firsts: 200 })], "ever");
  expect((now?.firstsRead ?? 1) / (now?.firsts ?? 1)).toBeLessThan(0.001);
});

test("adding nothing returns what is new, or all of the last day, and what is older is gone", async () => {
  await store.add([habit({ firsts: 2 })], "ever");
  expect(await store.add([], "lately")).toEqual([habit({ firsts: 2 })]);
  await database.advanceClock(11 * MINUTE_MS);
  expect(await store.add([], "lately")).toEqual([]);
  expect(await store.add([], "ever")).toHaveLength(1);
  await database.advanceClock(DAY_MS);
  expect(await store.add([], "ever")).toEqual([]);
  const { rows } = await database.db.pool.query("select 1 from cache_habits");
  expect(rows).toEqual([]);
});
