import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { connectDatabase } from "../db/index.ts";
import { credits, MAX_CREDITS, MINUTE_MS } from "../kit/index.ts";
import { createLedger, expirePeriods, verifyLedger } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { addMonths } from "./calendar.ts";
import { createBilling } from "./index.ts";
import type { MonthlyCredits } from "./renewals.ts";

const BEGAN = new Date("2031-01-31T10:00:00Z");
const ENDS = addMonths(BEGAN, 1);

const plans = new Map([
  ["free", { monthlyCredits: credits(0) }],
  ["pro", { monthlyCredits: credits(500) }],
]);

const books = await openLedgerBooks();
const { db, ledger, admitter, database } = books;
afterAll(() => database.drop());

const billingWith = (known: MonthlyCredits) => createBilling({ db, ledger, plans: known, log: silentLog });
const billing = billingWith(plans);

let orgId: string;
beforeEach(async () => {
  await database.freezeClock(BEGAN);
  orgId = await books.found(0);
  await setPlan("pro");
  await billing.startPlan(orgId);
});
afterEach(async () => {
  await db.pool.query("update organization set active = false");
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
});

async function setPlan(plan: string): Promise<void> {
  await db.pool.query("update organization set plan = $2 where id = $1", [orgId, plan]);
}

/** The last run of renewals before the end of the month, and then the exact moment of its end. */
async function runAndEnd(run = billing): Promise<void> {
  await database.freezeClock(new Date(ENDS.getTime() - MINUTE_MS / 2));
  await run.renewDue();
  await database.freezeClock(ENDS);
}

async function entries(): Promise<string[]> {
  const { rows } = await db.pool.query<{ entry: string }>(
    "select type || ' ' || amount || ' ' || description as entry from entries where org_id = $1 order by seq",
    [orgId],
  );
  return rows.map(({ entry }) => entry);
}

const FIRST = "grant 500 monthly credits of the pro plan";
const EXPIRED = "expire -500 subscription credits expired";

describe("at the exact moment a plan's month ends", () => {
  test("a call is paid from the new month", async () => {
    await runAndEnd();
    const call = admissionOf(orgId, 400);
    expect(await admitter.admit(call)).toMatchObject({ outcome: "admitted", granted: credits(400) });
    expect(await entries()).toEqual([FIRST, EXPIRED, FIRST]);
    expect((await ledger.account(orgId)).period).toEqual({ startsAt: ENDS, endsAt: addMonths(BEGAN, 2) });
    const told = "select renews_at, next_start from subscriptions where org_id = $1";
    const { rows } = await db.pool.query(told, [orgId]);
    expect(rows).toEqual([{ renews_at: addMonths(BEGAN, 2), next_start: null }]);
    await ledger.settle(settlementOf(call, credits(300)));
    expect(await books.balance(orgId)).toBe("200+0 0+0");
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(await entries()).toHaveLength(4);
  });

  test("a call that began before is paid from the month it began in", async () => {
    const call = admissionOf(orgId, 400);
    await admitter.admit(call);
    await runAndEnd();
    await ledger.settle(settlementOf(call, credits(300)));
    expect(await books.balance(orgId)).toBe("500+0 0+0");
  });

  test("concurrent calls, reads and renewals on two nodes open the new month once", async () => {
    const other = connectDatabase({ url: db.url, poolSize: 8, log: silentLog });
    const nodes = [db, other].map((own) => ({
      admitter: createAdmitter({ db: own, lease: books.lease }),
      billing: createBilling({ db: own, ledger: createLedger(own), plans, log: silentLog }),
      ledger: createLedger(own),
    }));
    await runAndEnd();
    const answers = await Promise.all(
      nodes.flatMap((node) => [
        ...Array.from({ length: 20 }, () => node.admitter.admit(admissionOf(orgId, 20))),
        node.billing.renewDue(),
        node.ledger.account(orgId),
      ]),
    );
    const admitted = answers.filter((one) => "outcome" in one && one.outcome === "admitted");
    expect(admitted).toHaveLength(25);
    expect(await entries()).toEqual([FIRST, EXPIRED, FIRST]);
    await other.close();
  });

  test("without calls, the schedule records expiry and grant, and the month after follows", async () => {
    await runAndEnd();
    await expirePeriods(db);
    await expirePeriods(db);
    expect(await entries()).toEqual([FIRST, EXPIRED, FIRST]);
    await database.freezeClock(new Date(addMonths(BEGAN, 2).getTime() - MINUTE_MS));
    await billing.renewDue();
    await database.freezeClock(addMonths(BEGAN, 2));
    expect(await books.balance(orgId)).toBe("500+0 0+0");
    expect(await entries()).toHaveLength(5);
  });

  test.each([0, MINUTE_MS])(
    "an announced month that was not opened by its end plus %i ms is not granted later",
    async (ms) => {
      await runAndEnd();
      await database.freezeClock(new Date(addMonths(BEGAN, 2).getTime() + ms));
      expect(await books.balance(orgId)).toBe("0+0 0+0");
      expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
      expect((await ledger.account(orgId)).period?.startsAt).toEqual(addMonths(BEGAN, 2));
    },
  );

  test("a month that exceeds the account's maximum is left to the renewals, and a call is admitted", async () => {
    const most = new Map([["pro", { monthlyCredits: credits(MAX_CREDITS) }]]);
    await ledger.grant(books.grantOf(orgId, 10));
    await runAndEnd(billingWith(most));
    expect(await admitter.admit(admissionOf(orgId, 10))).toMatchObject({ outcome: "admitted" });
    expect(await billingWith(most).renewDue()).toEqual({ renewed: 0, failed: 1 });
  });
});

describe("an announced month", () => {
  test("is not opened again when it was granted already", async () => {
    await db.pool.query(
      "update subscriptions set renews_at = $2, next_start = $3, next_end = $4, next_credits = 500 where org_id = $1",
      [orgId, ENDS, BEGAN, addMonths(BEGAN, 2)],
    );
    await database.freezeClock(ENDS);
    expect(await admitter.admit(admissionOf(orgId, 1))).toMatchObject({ outcome: "insufficient" });
    expect(await entries()).toEqual([FIRST, EXPIRED]);
  });

  const before = () => database.freezeClock(new Date(ENDS.getTime() - MINUTE_MS));

  test("is not opened when the plan was changed since", async () => {
    await before();
    await billing.renewDue();
    await setPlan("free");
    await billing.startPlan(orgId);
    await database.freezeClock(ENDS);
    expect(await admitter.admit(admissionOf(orgId, 1))).toMatchObject({ outcome: "insufficient" });
  });

  test("is not opened when the organization was made inactive", async () => {
    await before();
    await billing.renewDue();
    await db.pool.query("update organization set active = false where id = $1", [orgId]);
    await database.freezeClock(ENDS);
    expect(await books.balance(orgId)).toBe("0+0 0+0");
  });

  test("brings the credits that the configuration gave the plan at the last run", async () => {
    await before();
    await billing.renewDue();
    await billingWith(new Map([["pro", { monthlyCredits: credits(700) }]])).renewDue();
    await database.freezeClock(ENDS);
    expect(await books.balance(orgId)).toBe("700+0 0+0");
  });

  test.each([
    ["no longer has monthly credits", new Map([["pro", { monthlyCredits: credits(0) }]])],
    ["is missing from the configuration", new Map()],
  ])("is not opened when the plan %s", async (_, known) => {
    await before();
    await billing.renewDue();
    await billingWith(known).renewDue();
    await database.freezeClock(ENDS);
    expect(await books.balance(orgId)).toBe("0+0 0+0");
  });
});
