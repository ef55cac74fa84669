import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { behindLock } from "../../../test/behind-lock.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { payForPack } from "../../../test/paid-pack.ts";
import { credits, DAY_MS, newId } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";

const NOW = new Date("2031-01-10T10:00:00.123Z");
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const books = await openLedgerBooks();
const { db, ledger, database } = books;
afterAll(() => database.drop());

let orgId: string;
beforeEach(async () => {
  await database.freezeClock(NOW);
  orgId = await books.found(0);
});
afterEach(async () => {
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
});

async function order(amount = 10): Promise<string> {
  const id = newId();
  await db.pool.query(
    `insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider)
      values ($1, $2, bursar_now(), $1, 'plan', 'pro', $3, 100, 'usd', 'stripe')`,
    [id, orgId, amount],
  );
  return id;
}

type PaidDays = { from: number; to: number; subscription?: string; isOver?: boolean };

/** Reports that a month was paid, by subscription or, without one, at the test checkout. */
async function pay(amount: number, days: PaidDays): Promise<string> {
  return payOrder(await order(amount), days);
}

async function payOrder(id: string, days: PaidDays): Promise<string> {
  const subscription = days.subscription ?? null;
  const { rows } = await db.pool.query(
    "select open_paid_period($1, $2, $3, 'cus', $4, $5, $5, $6, $7) as outcome",
    [`in_${newId()}`, id, subscription, at(days.from), at(days.to), newId(), days.isOver !== true],
  );
  return rows[0]?.outcome;
}

const starts = async () => (await ledger.account(orgId)).period?.startsAt;

/** Sets how many cents of the charge are disputed; returns the credits that were taken or given back for it. */
async function reversed(cents: number): Promise<number> {
  await db.pool.query(
    `insert into payment_reversals (id, charge_reference, kind, amount_cents) values ($1, $1, 'dispute', $2)
      on conflict (id) do update set amount_cents = excluded.amount_cents`,
    [`ch_${orgId}`, cents],
  );
  const { rows } = await db.pool.query("select reverse_payment($1) as change", [`ch_${orgId}`]);
  return Number(rows[0]?.change);
}

describe("a paid period", () => {
  test("begins a millisecond later when another of the same organization began at that moment", async () => {
    expect(await pay(10, { from: -1, to: 20 })).toBe("renewed");
    expect(await pay(20, { from: -1, to: 20 })).toBe("renewed");
    expect(await starts()).toEqual(new Date(at(-1).getTime() + 1));
    expect(await books.balance(orgId)).toBe("20+0 0+0");
  });

  test("begins when it was paid for, whatever began for other organizations at that moment", async () => {
    await pay(10, { from: -1, to: 20 });
    orgId = await books.found(0);
    await pay(10, { from: -1, to: 20 });
    expect(await starts()).toEqual(at(-1));
  });

  test("begins now at the latest, even if the provider's clock is ahead", async () => {
    expect(await pay(10, { from: 0.00001, to: 20 })).toBe("renewed");
    expect(await starts()).toEqual(NOW);
  });

  test("reported late takes nothing from a later paid one, even of one credit", async () => {
    expect(await pay(1, { from: -1, to: 20 })).toBe("renewed");
    expect(await pay(10, { from: -2, to: 19 })).toBe("stale");
    expect(await books.balance(orgId)).toBe("1+0 0+0");
    // A payment that granted nothing has no credits that a refund could take.
    const { rows } = await db.pool.query("select credits from payments where org_id = $1 order by 1", [
      orgId,
    ]);
    expect(rows).toEqual([{ credits: "0" }, { credits: "1" }]);
  });

  test("reported late begins now when the later period was not paid, even if others were", async () => {
    await pay(10, { from: -5, to: 20 });
    await database.freezeClock(at(1));
    await ledger.renew({
      orgId,
      amount: credits(10),
      startsAt: at(1),
      endsAt: at(31),
      reference: null,
      description: "by schedule",
    });
    expect(await starts()).toEqual(at(1));
    await database.freezeClock(at(2));
    expect(await pay(20, { from: 0, to: 30 })).toBe("renewed");
    expect(await books.balance(orgId)).toBe("20+0 0+0");
  });

  test("waits when the clock is set back to an unpaid period's start or before, and then replaces it", async () => {
    await ledger.grant(books.grantOf(orgId, 7, { pool: "subscription", expiresAt: at(20) }));
    const [bought, days] = [await order(50), { from: -0.01, to: 30, subscription: `sub_1_${orgId}` }];
    expect(await payOrder(bought, days)).toBe("early");
    await database.freezeClock(at(-0.001));
    expect(await payOrder(bought, days)).toBe("early");
    expect(await books.balance(orgId)).toBe("7+0 0+0");
    await database.freezeClock(at(0.001));
    expect(await payOrder(bought, days)).toBe("renewed");
    expect(await books.balance(orgId)).toBe("50+0 0+0");
  });
});

test("paying a plan expires the order that was to follow the previous one, and no other order", async () => {
  await pay(10, { from: -2, to: 20, subscription: `sub_1_${orgId}` });
  const [next, other] = [await order(), await order()];
  await db.pool.query("update paid_subscriptions set next_order_id = $2 where org_id = $1", [orgId, next]);
  await pay(20, { from: -1, to: 20, subscription: `sub_2_${orgId}` });
  const { rows } = await db.pool.query("select id, status from payment_orders where org_id = $1", [orgId]);
  const statusOf = (id: string) => rows.find((row) => row.id === id)?.status;
  expect([statusOf(next), statusOf(other)]).toEqual(["expired", "open"]);
  expect(rows.filter(({ status }) => status === "paid")).toHaveLength(2);
});

describe("the order to follow", () => {
  const choose = "update paid_subscriptions set next_order_id = $2 where org_id = $1";
  const chosen = async () =>
    (await db.pool.query("select next_order_id from paid_subscriptions where org_id = $1", [orgId])).rows[0]
      ?.next_order_id;
  const statusOf = async (id: string) =>
    (await db.pool.query("select status from payment_orders where id = $1", [id])).rows[0]?.status;

  test("stays open while the current one is paid, even if it is chosen at that moment", async () => {
    const [standing, first, second] = [await order(), await order(), await order()];
    const subscription = `sub_1_${orgId}`;
    await payOrder(standing, { from: -3, to: 20, subscription });
    await db.pool.query(choose, [orgId, first]);
    expect(await payOrder(standing, { from: -2, to: 20, subscription })).toBe("renewed");
    expect([await chosen(), await statusOf(first)]).toEqual([first, "open"]);
    const outcome = await behindLock({
      db,
      statement: choose,
      values: [orgId, second],
      work: () => payOrder(standing, { from: -1, to: 20, subscription }),
    });
    expect(outcome).toBe("renewed");
    expect([await chosen(), await statusOf(second)]).toEqual([second, "open"]);
  });

  test("becomes current once it is paid, and expires when any other is paid", async () => {
    const [standing, next, other] = [await order(), await order(), await order()];
    const subscription = `sub_1_${orgId}`;
    await payOrder(standing, { from: -3, to: 20, subscription });
    await db.pool.query(choose, [orgId, next]);
    await payOrder(next, { from: -2, to: 20, subscription });
    expect([await chosen(), await statusOf(next)]).toEqual([null, "paid"]);
    const last = await order();
    await db.pool.query(choose, [orgId, last]);
    await payOrder(other, { from: -1, to: 20, subscription });
    expect([await chosen(), await statusOf(last)]).toEqual([null, "expired"]);
  });
});

describe("a subscription", () => {
  const replaced = async () => {
    const { rows } = await db.pool.query("select id from replaced_subscriptions where org_id = $1", [orgId]);
    return rows.map(({ id }) => id);
  };

  test("keeps its end when it is renewed, and does not pass it on to its replacement", async () => {
    const [first, second] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    const ends = async () =>
      (await db.pool.query("select ends_at from paid_subscriptions where org_id = $1", [orgId])).rows;
    await pay(10, { from: -3, to: 20, subscription: first });
    await db.pool.query("update paid_subscriptions set ends_at = $2 where org_id = $1", [orgId, at(20)]);
    await pay(10, { from: -2, to: 20, subscription: first });
    expect([await ends(), await replaced()]).toEqual([[{ ends_at: at(20) }], []]);
    await pay(10, { from: -1, to: 20, subscription: second });
    expect([await ends(), await replaced()]).toEqual([[{ ends_at: null }], [first]]);
  });

  test("is replaced only by a later one, not because its month or its report came late", async () => {
    const [first, second] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    await pay(10, { from: -1, to: 20, subscription: first });
    expect(await pay(10, { from: -9, to: -3, subscription: second })).toBe("over");
    expect(await pay(10, { from: -3, to: 20, subscription: first })).toBe("stale");
    expect(await replaced()).toEqual([]);
    expect(await pay(10, { from: -3, to: 20, subscription: second })).toBe("stale");
    expect(await replaced()).toEqual([second]);
  });

  test("ordered before the current one takes nothing from it, however late it is reported", async () => {
    const [older, standing] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    const first = await order(10);
    await database.freezeClock(at(1));
    await pay(20, { from: 1, to: 20, subscription: standing });
    expect(await payOrder(first, { from: 0.5, to: 20, subscription: older })).toBe("stale");
    expect(await replaced()).toEqual([older]);
    expect(await books.balance(orgId)).toBe("20+0 0+0");
  });

  test("ordered before the current one is over exactly when its month ends, and is not replaced", async () => {
    const [older, standing] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    const first = await order(10);
    await database.freezeClock(at(3));
    await pay(20, { from: 3, to: 20, subscription: standing });
    await database.freezeClock(at(10));
    expect(await payOrder(first, { from: 2.5, to: 10, subscription: older })).toBe("over");
    expect(await replaced()).toEqual([]);
  });

  test("ordered before the current one takes its place exactly when that one's month ends", async () => {
    const [older, standing] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    const first = await order(10);
    await database.freezeClock(at(1));
    await pay(20, { from: 1, to: 10, subscription: standing });
    await database.freezeClock(at(10));
    expect(await payOrder(first, { from: 3, to: 20, subscription: older })).toBe("renewed");
    expect([await replaced(), await books.balance(orgId)]).toEqual([[standing], "10+0 0+0"]);
  });

  test("ordered after the current one replaces it, even if a month of that one began since", async () => {
    const [standing, chosen] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    const first = await order(10);
    await payOrder(first, { from: -20, to: 20, subscription: standing });
    await database.freezeClock(at(1));
    const second = await order(20);
    await payOrder(first, { from: 0.9, to: 20, subscription: standing });
    const late = { from: 0.5, to: 20, subscription: chosen };
    for (const to of [0.8, 1]) expect(await payOrder(second, { ...late, to })).toBe("over");
    expect(await replaced()).toEqual([]);
    expect(await payOrder(second, late)).toBe("renewed");
    expect([await replaced(), await starts()]).toEqual([[standing], at(1)]);
    expect(await books.balance(orgId)).toBe("20+0 0+0");
    // The earlier one takes nothing back, whenever it is reported.
    expect(await payOrder(first, { from: 0.95, to: 20, subscription: standing })).toBe("replaced");
    expect(await payOrder(second, { ...late, from: 0.4 })).toBe("stale");
    expect(await books.balance(orgId)).toBe("20+0 0+0");
  });

  test("ordered after the current one with the same start begins a millisecond later", async () => {
    await pay(10, { from: -1, to: 20, subscription: `sub_1_${orgId}` });
    await database.freezeClock(at(1));
    expect(await pay(20, { from: -1, to: 20, subscription: `sub_2_${orgId}` })).toBe("renewed");
    expect(await starts()).toEqual(new Date(at(-1).getTime() + 1));
  });

  test("ordered after the current one that is over by now replaces nothing", async () => {
    const [standing, chosen] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    await pay(10, { from: -1, to: 20, subscription: standing });
    await database.freezeClock(at(1));
    expect(await pay(20, { from: -2, to: 20, subscription: chosen, isOver: true })).toBe("stale");
    expect(await replaced()).toEqual([chosen]);
  });

  test("reported by a node of an older version, which cannot say whether it runs, replaces nothing", async () => {
    const [standing, chosen] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    await pay(10, { from: -1, to: 20, subscription: standing });
    await database.freezeClock(at(1));
    const { rows } = await db.pool.query(
      "select open_paid_period($1, $2, $3, 'cus', $4, $5, $5, $6) as outcome",
      [`in_${newId()}`, await order(20), chosen, at(-2), at(20), newId()],
    );
    expect(rows).toEqual([{ outcome: "stale" }]);
    expect(await replaced()).toEqual([chosen]);
  });

  test("whose start the clock has not reached again waits for it, and keeps its payment", async () => {
    const [standing, chosen] = [`sub_1_${orgId}`, `sub_2_${orgId}`];
    await pay(10, { from: -1, to: 20, subscription: standing });
    await database.freezeClock(at(-2));
    const second = await order(20);
    await db.pool.query("update payment_orders set created_at = $2 where id = $1", [second, at(1)]);
    const late = { from: -2, to: 20, subscription: chosen };
    expect(await payOrder(second, late)).toBe("early");
    const { rows } = await db.pool.query(
      "select status, (select count(*)::int from payments p where p.order_id = o.id) as payments from payment_orders o where id = $1",
      [second],
    );
    expect(rows).toEqual([{ status: "open", payments: 0 }]);
    await database.freezeClock(at(2));
    expect(await payOrder(second, late)).toBe("renewed");
  });
});

test.each([
  [0, 20],
  [100, 0],
])(
  "when %i of 100 cents for a single credit are reversed, the default plan begins in %i days",
  async (cents, days) => {
    const subscription = `sub_1_${orgId}`;
    await pay(1, { from: -1, to: 20, subscription });
    await db.pool.query("update payments set charge_reference = $2 where org_id = $1", [
      orgId,
      `ch_${orgId}`,
    ]);
    await reversed(cents);
    await db.pool.query("select end_paid_subscription($1, 'free')", [subscription]);
    const { rows } = await db.pool.query("select plan, renews_at from subscriptions where org_id = $1", [
      orgId,
    ]);
    expect(rows).toEqual([{ plan: "free", renews_at: at(days) }]);
  },
);

describe("reversing a payment of few credits", () => {
  async function bring(pool: "subscription" | "anytime"): Promise<void> {
    if (pool === "anytime") {
      await ledger.grant(books.grantOf(orgId, 3, { reference: `order:${orgId}`, kind: "pack" }));
      await payForPack(db, { orgId, orderId: orgId, credits: 3, cents: 3 });
    } else await pay(3, { from: -1, to: 20 });
    await db.pool.query("update payment_orders set amount_cents = 3 where org_id = $1", [orgId]);
    await db.pool.query("update payments set amount_cents = 3, charge_reference = $2 where org_id = $1", [
      orgId,
      `ch_${orgId}`,
    ]);
  }

  test.each([
    ["subscription", "2+0 0+0", "3+0 0+0"],
    ["anytime", "0+0 2+0", "0+0 3+0"],
  ] as const)("is exact to the credit and can be undone: %s", async (pool, less, all) => {
    await bring(pool);
    expect(await reversed(1)).toBe(1);
    expect(await books.balance(orgId)).toBe(less);
    expect(await reversed(1)).toBe(0);
    expect(await reversed(0)).toBe(-1);
    expect(await books.balance(orgId)).toBe(all);
  });
});
