import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { credits, HOUR_MS } from "../kit/index.ts";
import type { Usage } from "./index.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";

let harness: UsageHarness;
let usage: Usage;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await createUsageHarness();
  usage = harness.usage;
  await harness.advanceToTimeOfDay(12 * HOUR_MS);
});

afterAll(() => harness.drop());

beforeEach(async () => {
  organization = await harness.createOrganization();
});

describe("balance view", () => {
  test("an organization without activity has zeroes, no expiry and no ledger", async () => {
    expect(await usage.balanceView(organization, { limit: 50 })).toEqual({
      org_id: organization.id,
      plan: "pro",
      balance: {
        subscription_credits: 0,
        anytime_credits: 0,
        total_credits: 0,
        held_credits: 0,
        subscription_credits_expire_at: null,
      },
      recent_ledger: [],
    });
  });

  test("held credits are separate from available ones, and the ledger lists the newest entries first", async () => {
    await organization.topUp(100);
    const first = await organization.pay(4);
    await organization.begin({ minimum: credits(30), full: credits(30) });
    const view = await usage.balanceView(organization, { limit: 50 });
    expect(view.balance).toEqual({
      subscription_credits: 0,
      anytime_credits: 66,
      total_credits: 66,
      held_credits: 30,
      subscription_credits_expire_at: null,
    });
    expect(view.recent_ledger).toEqual([
      {
        id: "2",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        type: "charge",
        pool: "anytime",
        amount: -4,
        balance_after: 96,
        request_id: first,
        description: "api-v1-chat talker",
      },
      {
        id: "1",
        created_at: expect.any(String),
        type: "grant",
        pool: "anytime",
        amount: 100,
        balance_after: 100,
        request_id: null,
        description: "top-up",
      },
    ]);
    const shorter = await usage.balanceView(organization, { limit: 1 });
    expect(shorter.recent_ledger.map((entry) => entry.id)).toEqual(["2"]);
  });

  test("a period that has just ended is expired in the first view that reads it", async () => {
    const endsAt = new Date((await harness.databaseNow()).getTime() + HOUR_MS);
    await harness.ledger.grant({
      orgId: organization.id,
      pool: "subscription",
      amount: credits(500),
      reference: null,
      expiresAt: endsAt,
      kind: "manual",
      description: "trial",
    });
    const before = await usage.balanceView(organization, { limit: 10 });
    expect(before.balance.subscription_credits).toBe(500);
    expect(before.balance.subscription_credits_expire_at).toBe(endsAt.toISOString());
    await harness.advanceClock(HOUR_MS);
    const after = await usage.balanceView(organization, { limit: 10 });
    expect(after.balance.subscription_credits).toBe(0);
    expect(after.balance.subscription_credits_expire_at).toBeNull();
    expect(after.recent_ledger[0]).toMatchObject({ type: "expire", amount: -500, balance_after: 0 });
  });

  test("the newest entry matches the balance beside it while calls are being settled", async () => {
    await organization.topUp(1000);
    const busy = Promise.all(Array.from({ length: 40 }, () => organization.pay(3)));
    for (let read = 0; read < 20; read++) {
      const { balance, recent_ledger } = await usage.balanceView(organization, { limit: 1 });
      expect(recent_ledger[0]?.balance_after).toBe(balance.total_credits + balance.held_credits);
    }
    await busy;
  });
});
