import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import type pg from "pg";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { takeLease } from "./lease/lease.ts";
import { createPassedOver } from "./passed-over.ts";
import { expirePeriods, sweepHolds } from "./sweeper.ts";

const LEASE_MS = 15_000;
const DAY_MS = 86_400_000;

const books = await openLedgerBooks();
const { database, db, ledger } = books;
afterAll(() => database.drop());

let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
const sweeper = await takeLease({ db, log: silentLog, clock, onLost: () => {} });
let other: pg.Client;
beforeEach(async () => {
  other = await db.connect();
});
afterEach(() => other.end());

/** In ascending order, in which they are swept. */
async function foundThree(): Promise<[string, string, string]> {
  const ids = [await books.found(1_000), await books.found(1_000), await books.found(1_000)].sort();
  return ids as [string, string, string];
}

async function lock(orgId: string): Promise<void> {
  await other.query("begin");
  await other.query("select 1 from accounts where org_id = $1 for update", [orgId]);
}

/** This many calls of each organization begin on a node that then dies. */
async function leaveOrphans(calls: ReadonlyMap<string, number>): Promise<void> {
  const lease = await takeLease({ db, log: silentLog, clock, onLost: () => {} });
  const admitter = createAdmitter({ db, lease });
  await Promise.all(
    [...calls].flatMap(([orgId, count]) =>
      Array.from({ length: count }, () => admitter.admit(admissionOf(orgId, 1))),
    ),
  );
  await lease.leave();
  for (let passedMs = 0; passedMs <= LEASE_MS; passedMs += 5_000) {
    elapsedMs += 5_000;
    await sweeper.renew();
  }
}

async function held(orgIds: readonly string[]): Promise<number[]> {
  const { rows } = await db.pool.query<{ held: number }>(
    "select anytime_held::int as held from accounts where org_id = any($1) order by org_id",
    [orgIds],
  );
  return rows.map((row) => row.held);
}

const sweep = (log = silentLog) => sweepHolds({ db, log, lease: sweeper });

describe("while the account of one organization is locked", () => {
  test("the others' orphaned holds are released, and its own are released afterwards", async () => {
    const orgIds = await foundThree();
    await leaveOrphans(new Map(orgIds.map((orgId) => [orgId, 2])));
    await lock(orgIds[1]);
    const told: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void told.push(line) };
    const failure = await sweep(log).catch(String);
    expect(await held(orgIds)).toEqual([0, 2, 0]);
    expect(told).toEqual([["orphaned_holds_released", { holds: 4 }]]);
    expect(failure).toContain(`passed over 1, the first of them ${orgIds[1]}`);
    await other.query("commit");
    expect([await sweep(), await held(orgIds)]).toEqual([2, [0, 0, 0]]);
  });

  test("the others' orphaned holds are released even if it has more than one round takes", async () => {
    const orgIds = await foundThree();
    await leaveOrphans(
      new Map([
        [orgIds[0], 501],
        [orgIds[2], 1],
      ]),
    );
    await lock(orgIds[0]);
    const failure = await sweep().catch(String);
    expect(await held(orgIds)).toEqual([501, 0, 0]);
    expect(failure).toContain(`passed over 1, the first of them ${orgIds[0]}`);
    await other.query("commit");
    expect([await sweep(), await held(orgIds)]).toEqual([501, [0, 0, 0]]);
  });
});

test("an organization whose orphaned holds can be released only one by one is not passed over", async () => {
  const orgIds = await foundThree();
  await leaveOrphans(new Map([[orgIds[1], 3]]));
  await db.pool.query(`
    create function refuse_several() returns trigger language plpgsql as $$
    begin
      if (select count(*) from ended) > 1 then raise exception 'one at a time'; end if;
      return null;
    end $$;
    create trigger refuse_several after insert on requests referencing new table as ended
      for each statement execute function refuse_several()`);
  const released = await sweep().catch(String);
  await db.pool.query("drop function refuse_several cascade");
  expect([released, await held(orgIds)]).toEqual([3, [0, 0, 0]]);
});

describe("when the period of one organization cannot be expired", () => {
  test("those of the others are, and the error names it", async () => {
    const orgIds = await foundThree();
    const { rows } = await db.pool.query<{ ends_at: Date }>(
      "select bursar_now() + interval '1 day' as ends_at",
    );
    for (const orgId of orgIds) {
      await ledger.grant(
        books.grantOf(orgId, 5, { pool: "subscription", expiresAt: rows[0]?.ends_at ?? null }),
      );
    }
    await database.advanceClock(DAY_MS);
    await db.pool.query("alter function lock_account set lock_timeout = '10ms'");
    await lock(orgIds[0]);
    const failure = await expirePeriods(db).catch(String);
    await other.query("commit");
    expect([await expirePeriods(db), await expirePeriods(db)]).toEqual([1, 0]);
    expect(failure).toContain(`passed over 1, the first of them ${orgIds[0]}`);
  });
});

describe("a run over many organizations", () => {
  const failing = (message: string) => () => Promise.reject(new Error(message));

  test("that passed over nobody finishes without an error", async () => {
    const passedOver = createPassedOver();
    expect(await passedOver.attempt("a", () => Promise.resolve(7))).toBe(7);
    passedOver.finish();
    expect(passedOver.orgIds).toEqual([]);
  });

  test("reports the first that it passed over with the reason, and how many", async () => {
    const passedOver = createPassedOver();
    expect(await passedOver.attempt("a", failing("locked"))).toBeNull();
    expect(await passedOver.attempt("b", failing("broken"))).toBeNull();
    expect(passedOver.orgIds).toEqual(["a", "b"]);
    expect(passedOver.finish).toThrow("passed over 2, the first of them a: Error: locked");
  });

  test("stops at the thirtieth that it passes over", async () => {
    const passedOver = createPassedOver();
    for (let at = 1; at < 30; at++) await passedOver.attempt(`${at}`, failing("locked"));
    await expect(passedOver.attempt("30", failing("locked"))).rejects.toThrow("passed over 30");
  });

  test("stops immediately when the database is away", async () => {
    const passedOver = createPassedOver();
    await expect(passedOver.attempt("a", failing("Connection terminated"))).rejects.toThrow(
      "Connection terminated",
    );
    expect(passedOver.orgIds).toEqual([]);
  });
});
