import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Database } from "../db/index.ts";
import { DAY_MS, HOUR_MS, newId } from "../kit/index.ts";
import { createRefusalCounts, type RefusalCounts } from "./refusal-counts.ts";
import { OTHER_MODEL, type Refusal } from "./refusal-store.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";

let harness: UsageHarness;
let organization: TestOrganization;
let counts: RefusalCounts;
beforeAll(async () => {
  harness = await createUsageHarness();
});
afterAll(() => harness.drop());
beforeEach(async () => {
  await harness.advanceToTimeOfDay(12 * HOUR_MS);
  organization = await harness.createOrganization();
  counts = createRefusalCounts({ db: harness.db, onFailed: () => {} });
});

const refusal = (changes: Partial<Refusal> = {}): Refusal => ({
  orgId: organization.id,
  keyId: organization.keyId,
  model: "talker",
  code: "insufficient_credits",
  ...changes,
});

async function refuse(times: number, changes: Partial<Refusal> = {}): Promise<void> {
  for (let each = 0; each < times; each++) counts.count(refusal(changes));
  await counts.flush();
}

async function rows(): Promise<unknown[]> {
  const found = await harness.db.pool.query(
    "select key_id, model, code, requests::int from refusals where org_id = $1 order by hour, model, code",
    [organization.id],
  );
  return found.rows.map(Object.values);
}

const summary = async (days: number) => {
  const { refused_requests, refusals_by_code } = (
    await harness.usage.usageView(organization, { days, limit: 1 })
  ).summary;
  return { refused_requests, refusals_by_code };
};

test("refused calls are counted per hour, key, model and code, and added to what is stored", async () => {
  await refuse(2);
  await refuse(1);
  await refuse(1, { model: OTHER_MODEL, code: "validation_error" });
  await harness.advanceClock(HOUR_MS);
  await refuse(4);
  expect(await rows()).toEqual([
    [organization.keyId, OTHER_MODEL, "validation_error", 1],
    [organization.keyId, "talker", "insufficient_credits", 3],
    [organization.keyId, "talker", "insufficient_credits", 4],
  ]);
  expect(await summary(1)).toEqual({
    refused_requests: 8,
    refusals_by_code: [
      { code: "insufficient_credits", requests: 7 },
      { code: "validation_error", requests: 1 },
    ],
  });
});

test("a refused call counts on its day, and for its own organization", async () => {
  await refuse(3);
  await harness.advanceClock(DAY_MS);
  await refuse(1);
  await refuse(5, { orgId: newId() });
  expect([await summary(1), await summary(2)]).toMatchObject([
    { refused_requests: 1 },
    { refused_requests: 4 },
  ]);
  const report = await harness.usage.report(organization.id, { filter: { days: 2 }, split: "model" });
  expect(report.days.map(({ refusals }) => refusals)).toEqual([
    [{ code: "insufficient_credits", requests: 3 }],
    [{ code: "insufficient_credits", requests: 1 }],
  ]);
});

test("a report of one key or model has its refusals; one of a member or an endpoint has none", async () => {
  const keyId = await organization.addKey("Second", "bbbb");
  await refuse(3);
  await refuse(1, { keyId, model: "painter" });
  const sums = async (filter: object, onlyMemberId: string | null = null) => {
    const asked = { filter: { days: 1, ...filter }, split: "model", onlyMemberId } as const;
    const [today] = (await harness.usage.report(organization.id, asked)).days;
    return today?.refusals.map(({ requests }) => requests);
  };
  expect([await sums({}), await sums({ keyId }), await sums({ model: "talker" })]).toEqual([[4], [1], [3]]);
  expect([await sums({ memberId: null }), await sums({ endpoint: "api-v1-chat" })]).toEqual([[], []]);
  expect(await sums({}, organization.memberId)).toEqual([]);
});

test("what could not be written is written later, is bounded, and is reported once", async () => {
  const failures: unknown[] = [];
  let isAway = true;
  const pool = {
    query: (...asked: Parameters<Database["pool"]["query"]>) =>
      isAway ? Promise.reject(new Error("away")) : harness.db.pool.query(...asked),
  };
  const db = { ...harness.db, pool } as unknown as Database;
  counts = createRefusalCounts({ db, onFailed: (error) => void failures.push(error) });
  await refuse(2);
  await refuse(1);
  for (let each = 0; each < 20_000; each++) counts.count(refusal({ model: `m${each}` }));
  await counts.flush();
  expect(failures).toHaveLength(1);
  isAway = false;
  await counts.close();
  const written = await rows();
  expect(written).toHaveLength(10_000);
  expect(written).toContainEqual([organization.keyId, "talker", "insufficient_credits", 3]);
});

test("counts are forgotten once no report shows them", async () => {
  await refuse(1);
  await harness.advanceClock(90 * DAY_MS);
  await counts.forgetOld();
  expect(await rows()).toHaveLength(1);
  await harness.advanceClock(2 * DAY_MS);
  await counts.forgetOld();
  expect(await rows()).toEqual([]);
});
