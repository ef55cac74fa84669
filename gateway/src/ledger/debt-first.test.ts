import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { payForPack } from "../../../test/paid-pack.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleMedia } from "./media-store.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

const PACK = 100;

let orgId: string;
let payment: string;
beforeEach(async () => {
  orgId = await books.found(0);
  payment = await buy();
});

/** A pack of 100 credits for a dollar. */
async function buy(): Promise<string> {
  const reference = newId();
  await ledger.grant(books.grantOf(orgId, PACK, { reference: `order:${reference}`, kind: "pack" }));
  await payForPack(db, { orgId, orderId: reference, credits: PACK, cents: 100 });
  return reference;
}

async function refund(cents = 100): Promise<void> {
  await db.pool.query("insert into payment_reversals values ($1, $2, 'refund', $3)", [
    newId(),
    payment,
    cents,
  ]);
  await db.pool.query("select reverse_payment($1)", [payment]);
}

async function hold(amount: number, changes: Partial<AdmissionCall> = {}): Promise<AdmissionCall> {
  const call = admissionOf(orgId, amount, changes);
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  return call;
}

/** Available, held and debt. The audit must find no fault, whatever was done before. */
async function standing(): Promise<number[]> {
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  const { anytimeAvailable, anytimeHeld, debt } = await ledger.account(orgId);
  return [anytimeAvailable, anytimeHeld, debt];
}

async function paidOff(): Promise<string[]> {
  const { rows } = await db.pool.query(
    "select pool, amount, reference from entries where org_id = $1 and description like 'refunded%' order by seq",
    [orgId],
  );
  return rows.map(({ pool, amount, reference }) => `${pool} ${amount} ${reference}`);
}

const NOTHING_PAYS = `create or replace function pay_debt(a accounts, p_now timestamptz, p_reference text)
  returns accounts language sql as 'select a'`;

test("anytime credits beside a debt are reported by the audit", async () => {
  const { rows } = await db.pool.query("select pg_get_functiondef('pay_debt'::regproc) as pays_now");
  await db.pool.query(NOTHING_PAYS);
  const call = await hold(PACK);
  await refund();
  await ledger.settle(settlementOf(call, credits(70)));
  await db.pool.query(rows[0]?.pays_now);
  expect((await verifyLedger(db, { orgId })).faults.map(({ what }) => what)).toEqual([
    "30 anytime credits stand beside a debt of 100",
  ]);
});

describe("credits returned from a hold after their payment was refunded", () => {
  test("pay the debt and cannot be spent", async () => {
    const call = await hold(PACK);
    await refund();
    expect(await standing()).toEqual([0, PACK, PACK]);
    expect(await ledger.settle(releaseOf(call))).toMatchObject({ outcome: "settled", anytimeAfter: 0 });
    expect(await standing()).toEqual([0, 0, 0]);
    expect(await paidOff()).toEqual([`anytime -100 ${call.requestId}`]);
    expect((await admitter.admit(admissionOf(orgId, 1))).outcome).toBe("insufficient");
  });

  test("pay for their call first; what it used remains a debt", async () => {
    const call = await hold(PACK);
    await refund();
    const settled = await ledger.settle(settlementOf(call, credits(30)));
    expect(settled).toMatchObject({ chargedAnytime: 30, writtenOff: 0, anytimeAfter: 0 });
    expect(await standing()).toEqual([0, 0, 30]);
    expect(await ledger.settle(settlementOf(call, credits(30)))).toMatchObject({
      outcome: "repeat",
      anytimeAfter: 0,
    });
    expect(await standing()).toEqual([0, 0, 30]);
  });

  test("pay the debt even when only one credit returns", async () => {
    const call = await hold(PACK);
    await refund();
    await ledger.settle(settlementOf(call, credits(PACK - 1)));
    expect(await standing()).toEqual([0, 0, PACK - 1]);
  });

  test.each([40, 1])("remain available as far as they exceed a debt of %d", async (debt) => {
    const call = await hold(PACK);
    await refund(debt);
    const left = PACK - 10 - debt;
    expect(await ledger.settle(settlementOf(call, credits(10)))).toMatchObject({ anytimeAfter: left });
    expect(await standing()).toEqual([left, 0, 0]);
  });

  test("pay no debt when the call used them all", async () => {
    const call = await hold(PACK);
    await refund();
    await ledger.settle(settlementOf(call, credits(PACK)));
    expect([await standing(), await paidOff()]).toEqual([[0, 0, PACK], []]);
  });

  test("pay the debt after each call of one batch, for two organizations together", async () => {
    const first = { orgId, calls: [await hold(30), await hold(30), await hold(40)] };
    await refund(80);
    const firstStanding = await standing();
    orgId = await books.found(0);
    payment = await buy();
    const second = { orgId, calls: [await hold(50)] };
    await refund();
    const settled = await settleAll(
      db,
      "call",
      [...first.calls, ...second.calls].map((call) => settlementOf(call, credits(10))),
    );
    expect(firstStanding).toEqual([0, 100, 80]);
    const byId = new Map([...first.calls, ...second.calls].map((call, at) => [call.requestId, settled[at]]));
    expect(first.calls.map(({ requestId }) => Number(byId.get(requestId)?.anytimeAfter))).toEqual([0, 0, 0]);
    expect(await standing()).toEqual([0, 0, 10]);
    orgId = first.orgId;
    expect(await standing()).toEqual([0, 0, 10]);
    expect((await paidOff()).map((each) => each.split(" ")[1])).toEqual(["-20", "-20", "-30"]);
  });

  test("pay the debt when the sweeper ends the call", async () => {
    const call = await hold(60);
    await refund();
    await settleAll(db, "sweeper", [releaseOf(call)]);
    expect(await standing()).toEqual([0, 0, 0]);
  });

  test("pay the debt when the call generated media", async () => {
    const call = await hold(60, { endpoint: "api-v1-images" });
    await refund();
    const settled = await settleMedia(db, settlementOf(call, credits(20)), []);
    expect(settled).toMatchObject({ chargedAnytime: 20, anytimeAfter: 0 });
    expect(await standing()).toEqual([0, 0, 20]);
  });

  test("pay the debt when a job ends", async () => {
    const { rows } = await db.pool.query(
      `select x.outcome from processes p, ledger_admit_job(p.process_id, p.epoch, $1, $2, $2, null, 'api-v1-video', 'video',
         70, 100, 10, null, 3600000, null, null, 3600000, null, '{}', '{}') x`,
      [orgId, payment],
    );
    expect(rows[0]?.outcome).toBe("admitted");
    await refund();
    await db.pool.query(
      "select ledger_end_job($1, $2, null, 'failed', 'failed:timeout', 'timeout', 0, null, '{}')",
      [orgId, payment],
    );
    expect(await standing()).toEqual([0, 0, 0]);
  });

  test("pay the debt when the call was held a second time", async () => {
    const call = await hold(60);
    await ledger.settle(settlementOf(call, credits(10)));
    expect((await admitter.admit(call)).outcome).toBe("admitted");
    await refund();
    expect((await ledger.settle(settlementOf(call, credits(10)))).outcome).toBe("repeat");
    expect(await standing()).toEqual([0, 0, 10]);
  });

  test("of the subscription pool pay no debt", async () => {
    await ledger.grant(
      books.grantOf(orgId, 50, { pool: "subscription", expiresAt: new Date("2090-01-01T00:00:00Z") }),
    );
    const call = await hold(120);
    await refund();
    await ledger.settle(releaseOf(call));
    expect(await standing()).toEqual([0, 0, 0]);
    expect((await ledger.account(orgId)).subscriptionAvailable).toBe(credits(50));
  });

  test("are available again when the reversal is undone", async () => {
    const call = await hold(PACK);
    await refund();
    await ledger.settle(settlementOf(call, credits(30)));
    await db.pool.query("update payment_reversals set amount_cents = 0 where charge_reference = $1", [
      payment,
    ]);
    await db.pool.query("select reverse_payment($1)", [payment]);
    expect(await standing()).toEqual([70, 0, 0]);
  });
});

test("a manual correction of anytime credits pays the debt first", async () => {
  await hold(PACK);
  await refund();
  const found = { orgId, pool: "anytime", description: "found" } as const;
  await ledger.adjust({ ...found, amount: creditDelta(60) });
  expect(await standing()).toEqual([0, PACK, 40]);
  const { account, debtPaid } = await ledger.adjust({ ...found, amount: creditDelta(60) });
  expect([account.anytimeAvailable, debtPaid].map(Number)).toEqual([20, 40]);
  expect(Number((await ledger.adjust({ ...found, amount: creditDelta(5) })).debtPaid)).toBe(0);
  await ledger.adjust({ ...found, amount: creditDelta(-5) });
  expect(await standing()).toEqual([20, PACK, 0]);
});

test("concurrent refunds, holds and settlements never leave credits beside a debt", async () => {
  for (let round = 0; round < 10; round++) {
    orgId = await books.found(0);
    payment = await buy();
    const calls = await Promise.all([1, 2, 3, 4].map(() => hold(20)));
    await Promise.all([
      ...calls.map((call, at) => ledger.settle(at === 0 ? releaseOf(call) : settlementOf(call, credits(at)))),
      refund(),
      admitter.admit(admissionOf(orgId, 1)).then(() => {}),
    ]);
    const [available = 0, held, debt = 0] = await standing();
    expect([Math.min(available, debt), available + Number(held) - debt]).toEqual([0, -6]);
  }
});
