import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, systemClock } from "../kit/index.ts";
import { createUsage, type Usage } from "./index.ts";
import { createUsageHarness, LOW_BALANCE, type TestOrganization, type UsageHarness } from "./testing.ts";

let harness: UsageHarness;
let organization: TestOrganization;
beforeAll(async () => {
  harness = await createUsageHarness();
  organization = await harness.createOrganization();
  await organization.topUp(1_000);
});
afterAll(() => harness.drop());

/** Usage as seen by a gateway with this clock. */
function seenBy(nowMs: () => number): Usage {
  const { db } = harness;
  return createUsage({
    db,
    clock: { ...systemClock, nowMs },
    typeOfModel: () => "text",
    lowBalance: LOW_BALANCE,
  });
}

async function listed(usage: Usage, model?: string): Promise<number[]> {
  const { requests } = await usage.usageView(organization, { days: 1, limit: 50 });
  const page = { status: null, isAscending: false, limit: 50, cursor: null } as const;
  const filter = { days: 1, model };
  const [byTime, byCredits] = await Promise.all([
    usage.requests(organization.id, { ...page, filter, sort: "time" }),
    usage.requests(organization.id, { ...page, filter, sort: "credits" }),
  ]);
  return [requests.length, byTime.requests.length, byCredits.requests.length];
}

test.each([
  ["is right", () => Date.now()],
  ["has jumped ahead", () => Date.now() + 100 * DAY_MS],
  ["has jumped back", () => Date.now() - 100 * DAY_MS],
  ["starts from zero", () => 1_000],
])("paid calls are listed by a gateway whose clock %s", async (_, nowMs) => {
  await organization.pay(1);
  const { rows } = await harness.db.pool.query<{ calls: number }>(
    "select count(*)::int as calls from requests",
  );
  const calls = rows[0]?.calls ?? 0;
  expect(calls).toBeGreaterThan(0);
  expect(await listed(seenBy(nowMs))).toEqual([calls, calls, calls]);
});

test("calls of a gateway whose clock is ahead are found by their model", async () => {
  await harness.advanceClock(-2 * HOUR_MS);
  await organization.pay(1, { model: "painter" });
  expect((await listed(harness.usage, "painter")).slice(1)).toEqual([1, 1]);
  await harness.advanceClock(2 * HOUR_MS);
});
