import { afterAll, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { payForPack } from "../../../test/paid-pack.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { creditDelta, credits, DAY_MS, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter, database } = books;
afterAll(() => database.drop());

const NOW = new Date("2031-01-10T10:00:00Z");
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let orgId: string;
/** The id of the month's payment, which is also its charge reference. */
let payment: string;
beforeEach(async () => {
  await database.freezeClock(NOW);
  orgId = await books.found(0);
  payment = await payMonth(0, 30);
});

/** A month of 100 credits for a dollar. */
async function payMonth(from: number, to: number): Promise<string> {
  const id = newId();
  await db.pool.query(
    `insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider)
     values ($1, $2, bursar_now(), $1, 'plan', 'pro', 100, 100, 'usd', 'stripe')`,
    [id, orgId],
  );
  await db.pool.query("select open_paid_period($1, $2, $3, 'cus', $4, $5, $5, $6)", [
    `in_${id}`,
    id,
    `sub_${orgId}`,
    at(from),
    at(to),
    newId(),
  ]);
  await db.pool.query("update payments set charge_reference = $1 where id = 'in_' || $1", [id]);
  return id;
}

/** Sets how many cents of the month are disputed from now on. */
async function dispute(cents: number): Promise<void> {
  await db.pool.query(
    `insert into payment_reversals values ($1, $1, 'dispute', $2)
     on conflict (id) do update set amount_cents = excluded.amount_cents`,
    [payment, cents],
  );
  await db.pool.query("select reverse_payment($1)", [payment]);
}

async function hold(amount: number): Promise<AdmissionCall> {
  const call = admissionOf(orgId, amount);
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  return call;
}

/** A pack of 70 credits that is refunded when nothing of it is left. */
async function owePack(): Promise<void> {
  await ledger.grant(books.grantOf(orgId, 70, { reference: `order:${orgId}`, kind: "pack" }));
  await payForPack(db, { orgId, orderId: orgId, credits: 70, cents: 1_000 });
  await ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-70), description: "a mistake" });
  await db.pool.query("insert into payment_reversals values ($1, $1, 'refund', 1000)", [orgId]);
  await db.pool.query("select reverse_payment($1)", [orgId]);
}

/** Available and held of both pools, and the debt. The audit must find no fault. */
async function standing(): Promise<string> {
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  return `${await books.balance(orgId)} ${(await ledger.account(orgId)).debt}`;
}

test("credits held from a refunded month pay the debt when they return, and cannot be spent", async () => {
  const call = await hold(80);
  await dispute(100);
  expect(await standing()).toBe("0+80 0+0 80");
  expect(await ledger.settle(settlementOf(call, credits(30)))).toMatchObject({
    chargedSubscription: 30,
    subscriptionAfter: 0,
  });
  expect(await standing()).toBe("0+0 0+0 30");
  expect((await ledger.settle(settlementOf(call, credits(30)))).outcome).toBe("repeat");
  expect(await standing()).toBe("0+0 0+0 30");
  expect((await admitter.admit(admissionOf(orgId, 1))).outcome).toBe("insufficient");
});

test("a partial refund is taken once from returned credits, and the rest stays", async () => {
  const calls = [await hold(40), await hold(60)];
  await dispute(50);
  await settleAll(db, "sweeper", calls.map(releaseOf));
  expect(await standing()).toBe("50+0 0+0 0");
});

test("a single returned credit pays the debt too", async () => {
  const call = await hold(80);
  await dispute(100);
  await ledger.settle(settlementOf(call, credits(79)));
  expect(await standing()).toBe("0+0 0+0 79");
});

test.each([
  [80, "0+80 0+0 100"],
  [100, "0+100 0+0 120"],
])(
  "%i returned credits pay no more than was refunded of their own month, whatever else is owed",
  async (held, before) => {
    await owePack();
    const call = await hold(held);
    await dispute(50);
    expect(await standing()).toBe(before);
    await ledger.settle(releaseOf(call));
    expect(await standing()).toBe("50+0 0+0 70");
  },
);

test("returned credits stay when the refund of their month was fully taken before, whatever else is owed", async () => {
  await owePack();
  const call = await hold(30);
  await dispute(50);
  expect(await standing()).toBe("20+30 0+0 70");
  await ledger.settle(releaseOf(call));
  expect(await standing()).toBe("50+0 0+0 70");
});

test("a won dispute gives the credits back to the month while it is open", async () => {
  const call = await hold(80);
  await dispute(100);
  await ledger.settle(settlementOf(call, credits(30)));
  await dispute(0);
  expect(await standing()).toBe("70+0 0+0 0");
});

test("credits returned from a second hold pay the debt too", async () => {
  const call = await hold(80);
  await ledger.settle(settlementOf(call, credits(10)));
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  await dispute(100);
  expect((await ledger.settle(settlementOf(call, credits(10)))).outcome).toBe("repeat");
  expect(await standing()).toBe("0+0 0+0 10");
});

test("credits returned from a second hold pay a debt of a single credit too", async () => {
  const call = await hold(80);
  await ledger.settle(settlementOf(call, credits(20)));
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  await dispute(1);
  expect((await ledger.account(orgId)).debt).toBe(credits(1));
  expect((await ledger.settle(settlementOf(call, credits(20)))).outcome).toBe("repeat");
  expect(await standing()).toBe("79+0 0+0 0");
});

test("a manual correction after the refund stays; only returned credits pay the debt", async () => {
  const [held, small] = [await hold(90), await hold(10)];
  await dispute(100);
  await ledger.adjust({ orgId, pool: "subscription", amount: creditDelta(25), description: "a gift" });
  await ledger.settle(settlementOf(held, credits(90)));
  expect(await standing()).toBe("25+10 0+0 100");
  await ledger.settle(releaseOf(small));
  expect(await standing()).toBe("25+0 0+0 90");
});

test("credits of a manual correction that calls held after the refund pay no debt when they return", async () => {
  await ledger.settle(settlementOf(await hold(100), credits(100)));
  await dispute(100);
  await database.advanceClock(1);
  await ledger.adjust({ orgId, pool: "subscription", amount: creditDelta(500), description: "a gift" });
  await ledger.settle(settlementOf(await hold(100), credits(1)));
  expect(await standing()).toBe("499+0 0+0 100");
  const twice = await hold(100);
  // Reported again, which takes nothing.
  await dispute(100);
  await ledger.settle(settlementOf(twice, credits(1)));
  expect((await admitter.admit(twice)).outcome).toBe("admitted");
  expect((await ledger.settle(settlementOf(twice, credits(1)))).outcome).toBe("repeat");
  expect(await standing()).toBe("498+0 0+0 100");
});

test("credits of a manual correction pay no debt when a call without a hold is charged", async () => {
  await ledger.settle(settlementOf(await hold(60), credits(60)));
  await dispute(100);
  await ledger.adjust({ orgId, pool: "subscription", amount: creditDelta(25), description: "a gift" });
  const { outcome } = await ledger.settle(settlementOf(admissionOf(orgId, 5), credits(5)));
  expect([outcome, await standing()]).toEqual(["orphan", "20+0 0+0 60"]);
});

test("when a month is refunded in two steps, credits held between them pay for the second", async () => {
  await dispute(50);
  await database.advanceClock(1);
  const call = await hold(50);
  await dispute(100);
  await ledger.settle(releaseOf(call));
  expect(await standing()).toBe("0+0 0+0 0");
});

test("the next month pays no debt of the month before, and gets none of the credits that one held", async () => {
  const call = await hold(80);
  await dispute(100);
  await database.freezeClock(at(1));
  const first = payment;
  payment = await payMonth(1, 31);
  const next = await hold(50);
  await ledger.settle(releaseOf(call));
  await ledger.settle(releaseOf(next));
  expect(await standing()).toBe("100+0 0+0 80");
  expect(payment).not.toBe(first);
});

test.each([
  ["once", releaseOf],
  ["twice", (call: AdmissionCall) => settlementOf(call, credits(10))],
] as const)(
  "credits held from an earlier month pay no debt of this one from a manual correction: held %s",
  async (times, end) => {
    const call = await hold(80);
    if (times === "twice") {
      await ledger.settle(end(call));
      expect((await admitter.admit(call)).outcome).toBe("admitted");
    }
    await database.freezeClock(at(1));
    payment = await payMonth(1, 31);
    await ledger.settle(settlementOf(await hold(60), credits(60)));
    await dispute(100);
    await ledger.adjust({ orgId, pool: "subscription", amount: creditDelta(25), description: "a gift" });
    expect([await books.balance(orgId), (await ledger.account(orgId)).debt]).toEqual([
      "25+80 0+0",
      credits(60),
    ]);
    await ledger.settle(end(call));
    expect(await standing()).toBe("25+0 0+0 60");
  },
);

test("concurrent refunds and settlements leave no credits of a refunded month", async () => {
  for (let round = 0; round < 5; round++) {
    orgId = await books.found(0);
    payment = await payMonth(0, 30);
    const calls = await Promise.all([1, 2, 3, 4].map(() => hold(25)));
    await Promise.all([
      ...calls.map((call, used) => ledger.settle(settlementOf(call, credits(used)))),
      dispute(100),
    ]);
    expect(await standing()).toBe("0+0 0+0 6");
  }
});
