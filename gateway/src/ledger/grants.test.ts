import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { behindLock } from "../../../test/behind-lock.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf } from "../../../test/paid-items.ts";
import { payForPack } from "../../../test/paid-pack.ts";
import { payMonths } from "../../../test/pay-months.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import type { Grant, Renewal } from "./store.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2031-01-01T00:00:00Z");
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const books = await openLedgerBooks();
const { database, db, ledger, found, grantOf, balance } = books;
afterAll(() => database.drop());
beforeEach(() => database.freezeClock(NOW));

async function grant(orgId: string, amount: number, changes: Partial<Grant> = {}): Promise<string> {
  return (await ledger.grant(grantOf(orgId, amount, changes))).outcome;
}

async function renew(
  orgId: string,
  from: number,
  to: number,
  changes: Partial<Renewal> = {},
): Promise<string> {
  const renewal = { orgId, amount: credits(10), reference: null, description: "plan" };
  return (await ledger.renew({ ...renewal, startsAt: at(from), endsAt: at(to), ...changes })).outcome;
}

async function adjust(orgId: string, pool: "anytime" | "subscription", amount: number): Promise<string> {
  return (await ledger.adjust({ orgId, pool, amount: creditDelta(amount), description: "correction" }))
    .outcome;
}

/** A debt: a payment was refunded after its credits were spent. */
async function owe(orgId: string, amount: number): Promise<void> {
  await grant(orgId, amount, { reference: `order:${orgId}`, kind: "pack" });
  await adjust(orgId, "anytime", -amount);
  await payForPack(db, { orgId, orderId: orgId, credits: amount, cents: 1 });
  await db.pool.query("insert into payment_reversals values ($1, $1, 'refund', 1)", [orgId]);
  await db.pool.query("select reverse_payment($1)", [orgId]);
}

async function expectSound(orgId: string, expected: string): Promise<void> {
  expect(await balance(orgId)).toBe(expected);
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
}

describe("a grant", () => {
  test("with a known reference is a repeat if pool and amount match, else a conflict", async () => {
    const orgId = await found(0);
    const reference = "r";
    expect(await grant(orgId, 5, { reference })).toBe("granted");
    expect(await grant(orgId, 5, { reference })).toBe("repeat");
    expect(await grant(orgId, 6, { reference })).toBe("conflict");
    expect(await grant(orgId, 5, { reference, pool: "subscription", expiresAt: at(1) })).toBe("conflict");
    expect(await grant(orgId, 5, { reference: "s" })).toBe("granted");
    await expectSound(orgId, "0+0 10+0");
  });

  test("with a reference that another organization has used is granted", async () => {
    const [one, two] = [await found(0), await found(0)];
    expect(await grant(one, 5, { reference: "r" })).toBe("granted");
    expect(await grant(two, 5, { reference: "r" })).toBe("granted");
    await expectSound(two, "0+0 5+0");
  });

  test("whose period ends now or earlier is refused; one that ends a moment later is granted", async () => {
    const orgId = await found(0);
    const until = (expiresAt: Date) => grant(orgId, 5, { pool: "subscription", expiresAt });
    expect(await until(new Date(NOW.getTime() - 1))).toBe("already_expired");
    expect(await until(NOW)).toBe("already_expired");
    expect(await until(new Date(NOW.getTime() + 1))).toBe("granted");
    await expectSound(orgId, "5+0 0+0");
  });

  test("joins an open period when its end is the same or not given, and no other", async () => {
    const orgId = await found(0);
    const subscription = { pool: "subscription" } as const;
    await grant(orgId, 5, { ...subscription, expiresAt: at(1) });
    expect(await grant(orgId, 5, { ...subscription, expiresAt: at(1) })).toBe("granted");
    expect(await grant(orgId, 5, { ...subscription, expiresAt: at(2) })).toBe("period_differs");
    const { account } = await ledger.grant(grantOf(orgId, 1, subscription));
    expect(account.period).toEqual({ startsAt: NOW, endsAt: at(1) });
    await expectSound(orgId, "11+0 0+0");
  });

  test.each([
    [1, 0, 4],
    [3, 0, 2],
    [5, 0, 0],
    [8, 3, 0],
  ])("of %d anytime credits pays a debt of 5 first", async (amount, left, debt) => {
    const orgId = await found(0);
    await owe(orgId, 5);
    expect(await grant(orgId, amount)).toBe("granted");
    const account = await ledger.account(orgId);
    expect([account.anytimeAvailable, account.debt].map(Number)).toEqual([left, debt]);
    await expectSound(orgId, `0+0 ${left}+0`);
  });

  test("of subscription credits pays no debt", async () => {
    const orgId = await found(0);
    await owe(orgId, 5);
    await grant(orgId, 7, { pool: "subscription", expiresAt: at(1) });
    expect(Number((await ledger.account(orgId)).debt)).toBe(5);
    await expectSound(orgId, "7+0 0+0");
  });
});

describe("a renewal", () => {
  test("waits for a running plan change, and then grants nothing for the old plan", async () => {
    const orgId = await found(0);
    const [had] = (await db.pool.query("select started_at from subscriptions where org_id = $1", [orgId]))
      .rows;
    await database.advanceClock(1_000);
    const renewed = await behindLock({
      db,
      statement: "update organization set plan = 'other' where id = $1",
      values: [orgId],
      work: () => renew(orgId, -1, 1, { planSince: had.started_at }),
    });
    expect(renewed).toBe("changed");
    await expectSound(orgId, "0+0 0+0");
  });

  test("is accepted from the start of its period until just before its end", async () => {
    const orgId = await found(0);
    expect(await renew(orgId, 0.000001, 1)).toBe("early");
    expect(await renew(orgId, -1, 0)).toBe("over");
    expect(await renew(orgId, -1, 1)).toBe("renewed");
    await expectSound(orgId, "10+0 0+0");
  });

  test("is granted once per start and once per reference", async () => {
    const orgId = await found(0);
    expect(await renew(orgId, 0, 1, { reference: "r" })).toBe("renewed");
    expect(await renew(orgId, 0, 2, { reference: "s" })).toBe("repeat");
    expect(await renew(orgId, -1, 2, { reference: "r" })).toBe("repeat");
    await payMonths(db);
    await expectSound(orgId, "10+0 0+0");
  });

  test("never goes back to an earlier period", async () => {
    const orgId = await found(0);
    expect(await renew(orgId, -1, 1)).toBe("renewed");
    expect(await renew(orgId, -2, 2)).toBe("stale");
    expect(await renew(orgId, -0.5, 2)).toBe("renewed");
    await expectSound(orgId, "10+0 0+0");
  });

  test("replaces the remaining credits, and its period has its own start and end", async () => {
    const orgId = await found(0);
    await renew(orgId, -1, 1);
    await adjust(orgId, "subscription", 20);
    await renew(orgId, 0, 3, { amount: credits(4) });
    expect((await ledger.account(orgId)).period).toEqual({ startsAt: NOW, endsAt: at(3) });
    await expectSound(orgId, "4+0 0+0");
  });

  test("replaces a manual grant of one credit that was made at the same moment", async () => {
    const orgId = await found(0);
    await grant(orgId, 1, { pool: "subscription", expiresAt: at(1) });
    expect(await renew(orgId, 0, 3)).toBe("renewed");
    await expectSound(orgId, "10+0 0+0");
  });

  test("never gives credits held since an earlier period to a later one", async () => {
    const orgId = await found(0);
    await grant(orgId, 7, { pool: "subscription", expiresAt: at(1) });
    const call = admissionOf(orgId, 7, { holdTtlMs: 9 * DAY_MS });
    await books.admitter.admit(call);
    await database.freezeClock(at(1));
    await renew(orgId, 1, 2);
    await database.freezeClock(at(2));
    await grant(orgId, 5, { pool: "subscription", expiresAt: at(3) });
    await ledger.settle(releaseOf(call));
    await expectSound(orgId, "5+0 0+0");
  });

  test("that ends when it starts is an error", async () => {
    const orgId = await found(0);
    await expect(renew(orgId, 0, 0)).rejects.toThrow("must end after it starts");
  });
});

describe("an adjustment", () => {
  test("takes the last credit of either pool, and never one more", async () => {
    const orgId = await found(3);
    await renew(orgId, 0, 1, { amount: credits(2) });
    expect(await adjust(orgId, "subscription", -3)).toBe("insufficient");
    expect(await adjust(orgId, "anytime", -4)).toBe("insufficient");
    await expectSound(orgId, "2+0 3+0");
    expect(await adjust(orgId, "subscription", -2)).toBe("adjusted");
    expect(await adjust(orgId, "anytime", -3)).toBe("adjusted");
    await expectSound(orgId, "0+0 0+0");
    expect(await adjust(orgId, "subscription", 6)).toBe("adjusted");
    await expectSound(orgId, "6+0 0+0");
  });

  test("of subscription credits needs an open period, of anytime credits does not", async () => {
    const orgId = await found(0);
    expect(await adjust(orgId, "subscription", 1)).toBe("no_open_period");
    expect(await adjust(orgId, "anytime", 1)).toBe("adjusted");
    await expectSound(orgId, "0+0 1+0");
  });
});

test("no pool of an account can exceed the largest amount that can be counted", async () => {
  const orgId = await found(0);
  const pools = ["subscription_available", "subscription_held", "anytime_available", "anytime_held"];
  const { rows } = await db.pool.query<{ sound: boolean[] }>(
    `select array_agg(account_is_sound(jsonb_populate_record(x, jsonb_build_object('period_start', now(),
         'period_end', now(), 'anytime_held', 1, pool, 1000000000000000 - (pool <> 'anytime_held')::int + n)))
         order by n) as sound
       from accounts x, unnest(array[0, 1]) n, unnest($2::text[]) pool where x.org_id = $1 group by pool`,
    [orgId, pools],
  );
  expect(rows.map(({ sound }) => sound)).toEqual(pools.map(() => [true, false]));
});

describe("credits of an ended period are expired by", () => {
  async function withEndedPeriod(): Promise<string> {
    const orgId = await found(0);
    await grant(orgId, 7, { reference: "first", pool: "subscription", expiresAt: at(1) });
    await database.freezeClock(at(2));
    return orgId;
  }

  async function expectExpired(orgId: string, expected: string): Promise<void> {
    const { rows } = await db.pool.query(
      "select type, amount::int as amount from entries where org_id = $1 and seq = 2",
      [orgId],
    );
    expect(rows).toEqual([{ type: "expire", amount: -7 }]);
    await expectSound(orgId, expected);
  }

  test("a correction", async () => {
    const orgId = await withEndedPeriod();
    expect(await adjust(orgId, "subscription", -1)).toBe("insufficient");
    await expectExpired(orgId, "0+0 0+0");
    expect(await adjust(orgId, "subscription", 1)).toBe("no_open_period");
  });

  test("a refused renewal", async () => {
    const orgId = await withEndedPeriod();
    expect(await renew(orgId, 3, 4)).toBe("early");
    await expectExpired(orgId, "0+0 0+0");
  });

  test("a repeated grant, which returns the id of the first", async () => {
    const orgId = await withEndedPeriod();
    const first = { ...grantOf(orgId, 7, { reference: "first", pool: "subscription", expiresAt: at(1) }) };
    const { rows } = await db.pool.query<{ id: string }>("select id from grants where org_id = $1", [orgId]);
    expect(await ledger.grant(first)).toMatchObject({ outcome: "repeat", grantId: rows[0]?.id });
    await expectExpired(orgId, "0+0 0+0");
  });

  test("a grant whose own period has ended", async () => {
    const orgId = await withEndedPeriod();
    expect(await grant(orgId, 5, { pool: "subscription", expiresAt: at(1.5) })).toBe("already_expired");
    await expectExpired(orgId, "0+0 0+0");
  });
});

test("the row of a grant has its id, and its period if there is one", async () => {
  const orgId = await found(0);
  const anytime = await ledger.grant(grantOf(orgId, 5));
  const subscription = await ledger.grant(grantOf(orgId, 7, { pool: "subscription", expiresAt: at(1) }));
  const { rows } = await db.pool.query(
    "select id, amount::int as amount, period_start, expires_at from grants where org_id = $1 order by amount",
    [orgId],
  );
  expect(rows).toEqual([
    { id: anytime.grantId, amount: 5, period_start: null, expires_at: null },
    { id: subscription.grantId, amount: 7, period_start: NOW, expires_at: at(1) },
  ]);
});

test("a grant repeated under its own id is granted once; under another id it is a repeat", async () => {
  const orgId = await found(0);
  const asked = { ...grantOf(orgId, 5, { reference: "once" }), id: newId() };
  for (let times = 0; times < 2; times++) {
    expect(await ledger.grant(asked)).toMatchObject({ outcome: "granted", grantId: asked.id });
  }
  const other = await ledger.grant({ ...asked, id: newId() });
  expect(other).toMatchObject({ outcome: "repeat", grantId: asked.id });
  expect(await balance(orgId)).toBe("0+0 5+0");
});

test("a grant to an organization that does not exist is an error", async () => {
  await expect(grant(newId(), 5)).rejects.toThrow("no account for organization");
});
