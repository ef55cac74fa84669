import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { creditDelta, credits, DAY_MS } from "../kit/index.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";

let harness: UsageHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await createUsageHarness();
});
afterAll(() => harness.drop());

beforeEach(async () => {
  organization = await harness.createOrganization();
});

const standing = () => harness.usage.standing(organization.id);

async function openPeriod(amount: number): Promise<void> {
  const now = await harness.databaseNow();
  await harness.ledger.renew({
    orgId: organization.id,
    amount: credits(amount),
    startsAt: now,
    endsAt: new Date(now.getTime() + 30 * DAY_MS),
    reference: null,
    description: "test",
  });
}

async function change(pool: "subscription" | "anytime", amount: number): Promise<void> {
  const { id: orgId } = organization;
  await harness.ledger.adjust({ orgId, pool, amount: creditDelta(amount), description: "test" });
}

describe("a balance is low", () => {
  test("below a number of credits, including those that running calls hold", async () => {
    await organization.topUp(1_000);
    expect((await standing()).isLow).toBe(false);
    await organization.begin();
    expect(await standing()).toMatchObject({ anytime: 990, held: 10, isLow: false });
    await change("anytime", -1);
    expect((await standing()).isLow).toBe(true);
  });

  test("below a share of what the open period was granted, including grants that joined it", async () => {
    await openPeriod(50_000);
    await change("subscription", -45_000);
    expect(await standing()).toMatchObject({
      subscription: 5_000,
      subscriptionGranted: 50_000,
      isLow: false,
    });
    await change("subscription", -1);
    expect((await standing()).isLow).toBe(true);
    const joining = { orgId: organization.id, pool: "subscription", kind: "manual" } as const;
    const terms = { reference: null, expiresAt: null, description: "test" };
    await harness.ledger.grant({ ...joining, ...terms, amount: credits(1_000) });
    expect(await standing()).toMatchObject({
      subscription: 5_999,
      subscriptionGranted: 51_000,
      isLow: false,
    });
    await change("subscription", -900);
    expect(await standing()).toMatchObject({ subscription: 5_099, isLow: true });
  });

  test("only by the number of credits when the period is over", async () => {
    await openPeriod(50_000);
    await organization.topUp(1_000);
    expect((await standing()).isLow).toBe(false);
    await harness.advanceClock(31 * DAY_MS);
    expect(await standing()).toMatchObject({ anytime: 1_000, subscriptionGranted: 0, isLow: false });
  });
});
