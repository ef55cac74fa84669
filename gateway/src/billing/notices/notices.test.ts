import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../db/testing.ts";
import { creditDelta, credits, newId } from "../../kit/index.ts";
import { createLedger, type Ledger } from "../../ledger/index.ts";
import { createMailer } from "../../mail/mailer.ts";
import { startTestSmtp, type TestSmtp } from "../../mail/smtp-testing.ts";
import { createMetrics, silentLog } from "../../telemetry/index.ts";
import { createBilling } from "../billing.ts";
import { TEST_PLANS } from "../testing.ts";
import {
  createNotices,
  expiryEmail,
  lowBalanceEmail,
  type NoticeOptions,
  type Notices,
  paymentFailedEmail,
} from "./notices.ts";
import { saveSent } from "./store.ts";

const DAY_MS = 86_400_000;
const THRESHOLDS = { lowBalancePercent: 10, lowBalanceCredits: 1_000, expiryDays: 3 };

let database: TestDatabase;
let smtp: TestSmtp;
let ledger: Ledger;
let notices: Notices;
let orgId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createLedger(database.db);
  smtp = await startTestSmtp();
  const settings = { url: smtp.url, from: "bursar@example.com" };
  const pace = { retryMs: [], closeWaitMs: 100, mostWaiting: 100, emailMs: 60_000, noticeMs: 60_000 };
  const mailer = createMailer({ settings, log: silentLog, metrics: createMetrics(), pace });
  notices = noticesBy(mailer.deliver);
});
afterAll(async () => {
  smtp.stop();
  await database.drop();
});

beforeEach(async () => {
  await database.db.pool.query("update organization set active = false");
  orgId = await found("free");
});

function noticesBy(deliver: NoticeOptions["deliver"]): Notices {
  return createNotices({
    db: database.db,
    log: silentLog,
    thresholds: THRESHOLDS,
    billingUrl: "https://ai.example.com/console/billing",
    deliver,
  });
}

/** Creates an organization with an owner, an admin and a member. */
async function found(plan: string): Promise<string> {
  const id = newId();
  const { pool } = database.db;
  await pool.query("insert into organization (id, name, slug, plan) values ($1, 'Acme', $2, $3)", [
    id,
    id,
    plan,
  ]);
  for (const role of ["owner", "admin", "member"]) {
    const userId = newId();
    await pool.query(`insert into "user" (id, name, email) values ($1, $2, $3)`, [
      userId,
      role,
      `${role}@${id}.com`,
    ]);
    await pool.query(`insert into member ("organizationId", "userId", role) values ($1, $2, $3)`, [
      id,
      userId,
      role,
    ]);
  }
  return id;
}

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
const emails = () => smtp.emails.filter(({ to }) => to.some((address) => address.endsWith(`${orgId}.com`)));
/** Decodes quoted-printable: soft line breaks and equals signs. */
const firstText = () => (emails()[0]?.data ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
const subjects = () => emails().map(({ data }) => /^Subject: (.*)$/m.exec(data)?.[1]);

describe("a low balance", () => {
  test("is emailed to owners and admins once, and again only after it has recovered", async () => {
    await grant(5_000);
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await spend(4_500);
    await notices.sendDue();
    await notices.sendDue();
    expect(
      emails()
        .flatMap(({ to }) => to)
        .toSorted(),
    ).toEqual([`admin@${orgId}.com`, `owner@${orgId}.com`]);
    expect(emails()[0]?.data).toContain("500 credits left");
    expect(firstText()).toContain(`https://ai.example.com/console/billing?organization=${orgId}\r\n`);
    await grant(5_000);
    await notices.sendDue();
    await spend(5_000);
    await notices.sendDue();
    expect(emails()).toHaveLength(4);
  });

  test("is emailed once when credits came and went between two runs", async () => {
    for (const emailCount of [2, 4]) {
      await grant(10_000);
      await spend(9_900);
      await notices.sendDue();
      await notices.sendDue();
      expect(emails()).toHaveLength(emailCount);
    }
  });

  test("that was never higher is not emailed", async () => {
    await notices.sendDue();
    await grant(10);
    await notices.sendDue();
    await spend(10);
    await notices.sendDue();
    expect(emails()).toEqual([]);
  });

  test("is measured by the month's credits if there are any", async () => {
    orgId = await found("pro");
    await createBilling({ db: database.db, ledger, plans: TEST_PLANS, log: silentLog }).startPlan(orgId);
    await notices.sendDue();
    await spend(44_000, "subscription");
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await spend(2_000, "subscription");
    await notices.sendDue();
    expect(subjects()).toContain("Acme is running low on credits");
  });

  test("is measured also by credits that joined the month later", async () => {
    orgId = await found("pro");
    await createBilling({ db: database.db, ledger, plans: TEST_PLANS, log: silentLog }).startPlan(orgId);
    await grant(450_000, "subscription");
    await notices.sendDue();
    await spend(450_001, "subscription");
    await notices.sendDue();
    expect(subjects()).toContain("Acme is running low on credits");
  });

  test("of an inactive organization is not emailed", async () => {
    await grant(5_000);
    await notices.sendDue();
    await spend(5_000);
    await database.db.pool.query("update organization set active = false where id = $1", [orgId]);
    await notices.sendDue();
    expect(emails()).toEqual([]);
  });
});

describe("expiring credits", () => {
  test("are emailed three days before, once per period", async () => {
    orgId = await found("pro");
    const billing = createBilling({ db: database.db, ledger, plans: TEST_PLANS, log: silentLog });
    await billing.startPlan(orgId, { firstPeriodDays: 30 });
    await database.advanceClock(26 * DAY_MS);
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await database.advanceClock(1.5 * DAY_MS);
    await notices.sendDue();
    await notices.sendDue();
    expect(subjects()).toEqual(Array(2).fill("50,000 credits of Acme expire soon"));
    expect(firstText()).toContain(`https://ai.example.com/console/billing?organization=${orgId}\r\n`);
    await database.advanceClock(3 * DAY_MS);
    await billing.renewDue();
    await database.advanceClock(28 * DAY_MS);
    await notices.sendDue();
    expect(emails()).toHaveLength(4);
  });
});

describe("an email that reached nobody", () => {
  test("is sent again by the next run", async () => {
    await grant(5_000);
    await notices.sendDue();
    await spend(4_500);
    smtp.answer("RCPT", "451 later", "451 later");
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await notices.sendDue();
    expect(emails()).toHaveLength(2);
  });

  test("is not sent again when every address was refused permanently", async () => {
    await grant(5_000);
    await notices.sendDue();
    await spend(4_500);
    smtp.answer("RCPT", "550 nobody of that name", "550 nobody of that name");
    await notices.sendDue();
    await notices.sendDue();
    expect(emails()).toEqual([]);
  });

  test("is sent again when only some addresses were refused permanently", async () => {
    await grant(5_000);
    await notices.sendDue();
    await spend(4_500);
    smtp.answer("RCPT", "550 nobody of that name", "450 greylisted");
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await notices.sendDue();
    expect(emails()).toHaveLength(2);
  });

  test.each([
    ["MAIL", "550 not in your name"],
    ["RCPT", "550 5.7.1 relaying denied"],
    ["DATA", "550 5.4.5 you sent enough today"],
  ] as const)("because the sender was refused is sent again: %s, %s", async (command, no) => {
    await grant(5_000);
    await notices.sendDue();
    await spend(4_500);
    smtp.answer(command, no, no);
    await notices.sendDue();
    expect(emails()).toEqual([]);
    await notices.sendDue();
    expect(emails()).toHaveLength(2);
  });
});

test("an email whose sender dies while sending is not sent by the next run", async () => {
  await grant(5_000);
  await notices.sendDue();
  await spend(4_500);
  const sending = Promise.withResolvers<void>();
  const dying = noticesBy(() => {
    sending.resolve();
    return new Promise(() => {});
  });
  void dying.sendDue();
  await sending.promise;
  await notices.sendDue();
  expect(emails()).toEqual([]);
});

test("an organization's name that is an address does not become a link in any email", () => {
  const notice = { orgId, name: "Go to evil.example/win", kind: "expiry", lowToldAt: null } as const;
  const due = { ...notice, availableCredits: 1, expiringCredits: 1, periodEndsAt: null };
  const page = "https://ai.example.com/console/billing";
  for (const { subject, text } of [
    lowBalanceEmail(due, page),
    expiryEmail(due, page),
    paymentFailedEmail(due, page),
  ]) {
    expect(`${subject}\n${text}`).not.toContain("evil.example");
    expect(subject).toContain("Go to evil example win");
    expect(text).toContain("Go to evil example win");
  }
});

test("only one of two concurrent runs may send the same email", async () => {
  for (const [kind, periodEndsAt] of [
    ["low_balance", null],
    ["expiry", new Date("2030-01-01")],
  ] as const) {
    const notice = { orgId, name: "Acme", kind, availableCredits: 1, expiringCredits: 1, periodEndsAt };
    const found = { ...notice, lowToldAt: null };
    const { db } = database;
    const both = await Promise.all([saveSent(db, found), saveSent(db, found)]);
    expect(both.toSorted()).toEqual([false, true]);
  }
});

test("a run that cannot save one notice fails only after all others are done", async () => {
  const refused = orgId;
  for (const each of [refused, await found("free")]) {
    orgId = each;
    await grant(5_000);
    await notices.sendDue();
    await spend(4_500);
  }
  const { pool } = database.db;
  await pool.query(
    `update balance_notices set is_armed = true where org_id = '${refused}';
     alter table balance_notices add constraint refused check (org_id <> '${refused}' or is_armed)`,
  );
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<"taken">();
  const slow = noticesBy(() => {
    begun.resolve();
    return gate.promise;
  });
  const run = slow.sendDue().then(
    () => "done",
    (error: unknown) => String(error),
  );
  await begun.promise;
  expect(await Promise.race([run, Bun.sleep(20).then(() => "under way")])).toBe("under way");
  gate.resolve("taken");
  expect(await run).toContain("refused");
  await pool.query("alter table balance_notices drop constraint refused");
});
