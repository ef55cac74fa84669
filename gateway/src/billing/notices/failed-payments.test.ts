import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, newId } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createPaymentFixture, type PaymentFixture } from "../stripe/payments-testing.ts";
import { createNotices, type Notices } from "./notices.ts";

let shop: PaymentFixture;
let notices: Notices;
let orgId: string;
let subscriptionId: string;
let emails: { to: string; subject: string; text: string }[];
let isMailAway: boolean;

beforeAll(async () => {
  shop = await createPaymentFixture();
  notices = noticesBy(async (message) => {
    if (!isMailAway) emails.push(message);
    return isMailAway ? "lost" : "taken";
  });
});
afterAll(() => shop.close());

beforeEach(async () => {
  await shop.database.db.pool.query("update organization set active = false");
  emails = [];
  isMailAway = false;
  orgId = await shop.found();
  for (const role of ["owner", "admin", "member"]) await addMember(role);
  const session = await shop.order(orgId, { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  subscriptionId = String(shop.stripe.sessions.get(session)?.subscription);
});

async function addMember(role: string): Promise<void> {
  const { pool } = shop.database.db;
  const userId = newId();
  const email = `${role}@${orgId}.com`;
  await pool.query(`insert into "user" (id, name, email) values ($1, $2, $3)`, [userId, role, email]);
  await pool.query(`insert into member ("organizationId", "userId", role) values ($1, $2, $3)`, [
    orgId,
    userId,
    role,
  ]);
}

function noticesBy(deliver: Parameters<typeof createNotices>[0]["deliver"]): Notices {
  return createNotices({
    db: shop.database.db,
    log: silentLog,
    thresholds: { lowBalancePercent: 0, lowBalanceCredits: 0, expiryDays: 0 },
    billingUrl: "https://ai.example.com/console/billing",
    deliver,
  });
}

/** A month later, a payment fails and the notice is sent, as the gateway does when it receives the report. */
async function failToPay(by: Notices = notices): Promise<void> {
  await shop.advance(31 * DAY_MS);
  const before = shop.told.length;
  await shop.deliver(...shop.stripe.renew(subscriptionId, "failed"));
  for (const each of shop.told.slice(before)) await by.sendPaymentFailed(each);
}

test("a failed payment is emailed to owners and admins, with a link to their organization's billing page", async () => {
  await failToPay();
  expect(emails.map(({ to }) => to).toSorted()).toEqual([`admin@${orgId}.com`, `owner@${orgId}.com`]);
  expect(emails[0]?.subject).toBe("The payment for the plan of Acme failed");
  expect(emails[0]?.text).toContain(`https://ai.example.com/console/billing?organization=${orgId}\n`);
  await notices.sendDue();
  expect(emails).toHaveLength(2);
});

test("a failed payment that reached nobody is emailed once by the first run that can deliver", async () => {
  isMailAway = true;
  await failToPay();
  await notices.sendDue();
  isMailAway = false;
  await notices.sendDue();
  await notices.sendDue();
  expect(emails).toHaveLength(2);
});

test("a failed payment that every mail server refused permanently is not emailed again", async () => {
  let tries = 0;
  const refused = noticesBy(async () => {
    tries++;
    return "refused";
  });
  await failToPay(refused);
  await refused.sendDue();
  expect(tries).toBe(2);
});

test("a failed payment that is paid before anybody was emailed is not emailed", async () => {
  isMailAway = true;
  await failToPay();
  isMailAway = false;
  await shop.deliver(...shop.stripe.renew(subscriptionId));
  await notices.sendDue();
  expect(emails).toEqual([]);
});

test("the next failed payment is emailed again", async () => {
  await failToPay();
  await shop.deliver(...shop.stripe.renew(subscriptionId));
  await failToPay();
  expect(emails).toHaveLength(4);
});

test("a failed payment whose sender dies while sending is emailed later, and not by others meanwhile", async () => {
  const sending = Promise.withResolvers<void>();
  const dying = noticesBy(() => {
    sending.resolve();
    return new Promise(() => {});
  });
  void failToPay(dying);
  await sending.promise;
  await notices.sendDue();
  expect(emails).toEqual([]);
  await shop.advance(HOUR_MS);
  await notices.sendDue();
  expect(emails).toHaveLength(2);
});

test("a failed payment of an inactive organization is not emailed", async () => {
  isMailAway = true;
  await failToPay();
  isMailAway = false;
  await shop.database.db.pool.query("update organization set active = false where id = $1", [orgId]);
  await notices.sendDue();
  expect(emails).toEqual([]);
});
