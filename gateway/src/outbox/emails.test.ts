import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createBilling, saveBalanceEvents } from "../billing/index.ts";
import { TEST_PLANS } from "../billing/testing.ts";
import { creditDelta, credits, DAY_MS, HOUR_MS } from "../kit/index.ts";
import { createLedger, type Ledger } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { letterOf } from "./events.ts";
import type { Outbox } from "./index.ts";
import { createOutboxFixture, type OutboxFixture } from "./testing.ts";

const THRESHOLDS = { lowBalancePercent: 10, lowBalanceCredits: 1_000, expiryDays: 3 };

let fixture: OutboxFixture;
let ledger: Ledger;
let orgId: string;
beforeAll(async () => {
  fixture = await createOutboxFixture();
  ledger = createLedger(fixture.database.db);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const { pool } = fixture.database.db;
  await pool.query("delete from endpoints; update organization set active = false");
  orgId = await fixture.found();
  fixture.emails.length = 0;
  fixture.mailAnswers.length = 0;
});

const grant = (amount: number, pool: "anytime" | "subscription" = "anytime") =>
  ledger.grant({
    orgId,
    pool,
    amount: credits(amount),
    reference: null,
    expiresAt: null,
    kind: "manual",
    description: "test",
  });
const spend = (amount: number, pool: "anytime" | "subscription" = "anytime") =>
  ledger.adjust({ orgId, pool, amount: creditDelta(-amount), description: "spent" });
const subjects = () => fixture.emails.map(({ subject }) => subject);

async function startPro() {
  await fixture.database.db.pool.query("update organization set plan = 'pro' where id = $1", [orgId]);
  const billing = createBilling({ db: fixture.database.db, ledger, plans: TEST_PLANS, log: silentLog });
  await billing.startPlan(orgId, { firstPeriodDays: 30 });
  return billing;
}

/** A run of the schedule, and what it causes. */
async function run(by?: Outbox): Promise<void> {
  await saveBalanceEvents(fixture.database.db, THRESHOLDS);
  await fixture.deliverDue(by);
}

describe("a low balance", () => {
  test("is emailed to owners and admins once, and again only after it has recovered", async () => {
    await grant(5_000);
    await run();
    expect(fixture.emails).toEqual([]);
    await spend(4_500);
    await run();
    await run();
    expect(fixture.emails).toEqual(
      ["owner", "admin"].map((role) => ({
        to: `${role}@${orgId}.com`,
        subject: "Acme is running low on credits",
        text: `Acme has 500 credits left. When they are used up, calls are refused.

Add credits here:

https://ai.example.com/console/billing?organization=${orgId}

You received this email because you are an owner or admin of the organization.
`,
      })),
    );
    await grant(5_000);
    await run();
    await spend(5_000);
    await run();
    expect(fixture.emails).toHaveLength(4);
  });

  test("is emailed once when credits came and went between two runs", async () => {
    for (const emailCount of [2, 4]) {
      await grant(10_000);
      await spend(9_900);
      await run();
      await run();
      expect(fixture.emails).toHaveLength(emailCount);
    }
  });

  test("that was never higher is not emailed", async () => {
    await run();
    await grant(10);
    await run();
    await spend(10);
    await run();
    expect(fixture.emails).toEqual([]);
  });

  test("is measured by the month's credits if there are any, also by those that joined later", async () => {
    await startPro();
    await run();
    await spend(44_000, "subscription");
    await run();
    expect(subjects()).toEqual([]);
    await grant(450_000, "subscription");
    await run();
    await spend(406_001, "subscription");
    await run();
    expect(subjects()).toContain("Acme is running low on credits");
  });

  test("of an inactive organization is not emailed", async () => {
    await grant(5_000);
    await run();
    await spend(5_000);
    await fixture.database.db.pool.query("update organization set active = false where id = $1", [orgId]);
    await run();
    expect(fixture.emails).toEqual([]);
  });

  test("is one event when several runs look at once", async () => {
    await grant(5_000);
    await run();
    await spend(4_500);
    const { db } = fixture.database;
    await Promise.all(Array.from({ length: 6 }, () => saveBalanceEvents(db, THRESHOLDS)));
    const { rows } = await db.pool.query("select from events where org_id = $1 and type = 'balance.low'", [
      orgId,
    ]);
    expect(rows).toHaveLength(1);
  });
});

test("expiring credits are emailed three days before, once per period", async () => {
  const billing = await startPro();
  await fixture.database.advanceClock(26 * DAY_MS);
  await run();
  expect(fixture.emails).toEqual([]);
  await fixture.database.advanceClock(1.5 * DAY_MS);
  await run();
  await run();
  expect(subjects()).toEqual(Array(2).fill("50,000 credits of Acme expire soon"));
  expect(fixture.emails[0]?.text).toContain("of this month's plan of Acme are unused and expire on ");
  await fixture.database.advanceClock(3 * DAY_MS);
  await billing.renewDue();
  await fixture.database.advanceClock(28 * DAY_MS);
  await run();
  expect(fixture.emails).toHaveLength(4);
});

describe("an email", () => {
  async function runLow(by?: Outbox): Promise<void> {
    await grant(5_000);
    await run();
    await spend(4_500);
    await run(by);
  }

  test("that reached nobody is sent again, and only until somebody got it", async () => {
    fixture.mailAnswers.push("lost", "refused");
    await runLow();
    expect(fixture.emails).toEqual([]);
    await fixture.database.advanceClock(6_000);
    await run();
    await fixture.database.advanceClock(HOUR_MS);
    await run();
    expect(fixture.emails).toHaveLength(2);
  });

  test("that every address refused for good is not sent again", async () => {
    fixture.mailAnswers.push("refused", "refused");
    await runLow();
    await fixture.database.advanceClock(DAY_MS);
    await run();
    expect(fixture.emails).toEqual([]);
  });

  test("whose sender dies while it sends is sent by another an hour later", async () => {
    const sending = Promise.withResolvers<void>();
    const dying = fixture.open({
      mail: () => {
        sending.resolve();
        return new Promise(() => {});
      },
    });
    void runLow(dying);
    await sending.promise;
    await run();
    expect(fixture.emails).toEqual([]);
    await fixture.database.advanceClock(HOUR_MS + 1);
    await run();
    expect(fixture.emails).toHaveLength(2);
  });

  test("is not even an endpoint where mail is not configured", async () => {
    await runLow(fixture.open({ mail: null }));
    expect(await fixture.outbox.endpoints.list(fixture.database.db.pool, orgId)).toEqual([]);
  });

  test("to owners can be paused and asked for other types, and not removed", async () => {
    await runLow();
    const { pool } = fixture.database.db;
    const ref = { orgId, id: orgId };
    expect(await fixture.outbox.endpoints.remove(pool, ref)).toBeUndefined();
    await fixture.outbox.endpoints.update(pool, ref, { types: ["key.created"] });
    await fixture.event(orgId, "key.created", { name: "ci" });
    await fixture.event(orgId, "payment.failed");
    await fixture.deliverDue();
    expect(subjects().slice(2)).toEqual(Array(2).fill("The key ci of Acme was created"));
    await fixture.outbox.endpoints.update(pool, ref, { paused: true });
    await fixture.event(orgId, "key.created", { name: "ci" });
    await fixture.deliverDue();
    expect(fixture.emails).toHaveLength(4);
  });

  test("to a member who left is not sent", async () => {
    const { pool } = fixture.database.db;
    const address = `member@${orgId}.com`;
    await fixture.outbox.endpoints.create(pool, { orgId, kind: "email", address, types: ["video.failed"] });
    await fixture.event(orgId, "video.failed", { request_id: "1" });
    await fixture.deliverDue();
    expect(fixture.emails.map(({ to }) => to)).toEqual([address]);
    expect(fixture.emails[0]?.text).toContain("your address stands among the webhooks");
    await pool.query(`delete from member where "organizationId" = $1 and role = 'member'`, [orgId]);
    await fixture.event(orgId, "video.failed", { request_id: "2" });
    await fixture.deliverDue();
    expect(fixture.emails).toHaveLength(1);
  });
});

test("an organization's or a key's name that is an address does not become a link in any email", () => {
  const why = "Because.";
  for (const type of ["balance.low", "credits.expiring", "payment.failed", "key.created", "unknown.type"]) {
    const data = { name: "Go to evil.example/win", expires_at: 0, available_credits: 1, expiring_credits: 1 };
    const event = { id: "1", orgId, seq: 1, type, createdAt: new Date(), data };
    const { subject, text } = letterOf(event, {
      name: "Go to evil.example/win",
      pages: "https://a.example",
      why,
    });
    expect(`${subject}\n${text}`).not.toContain("evil.example");
    expect(subject).toContain("Go to evil example win");
  }
});
