import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import type { Database } from "../../db/index.ts";
import { creditDelta } from "../../kit/index.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, ledger } = books;
afterAll(() => books.database.drop());

let orgId: string;
/** A grant and a manual correction, both verified. */
beforeEach(async () => {
  orgId = await books.found(100);
  await correct(5);
  expect(await faults()).toEqual([]);
});

async function correct(amount: number): Promise<void> {
  await ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(amount), description: "found" });
}

async function faults(sinceCheckpoint = false): Promise<string[]> {
  const report = await verifyLedger(db, { orgId, sinceCheckpoint });
  return report.faults.map(({ table, row, what }) => `${table} ${row}: ${what}`);
}

async function checkpoint(): Promise<number> {
  const { rows } = await db.pool.query("select seq::int from audit_checkpoints where org_id = $1", [orgId]);
  return rows[0].seq;
}

async function forge(...statements: readonly string[]): Promise<void> {
  await db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    for (const sql of statements) await client.query(sql, [orgId]);
  });
}

/** Removes the correction with every trace of it. */
function takeBack(): Promise<void> {
  return forge(
    "delete from entries where org_id = $1 and seq = 2",
    "delete from corrections where org_id = $1",
    `update accounts set anytime_available = 100, entry_seq = 1,
       entry_hash = (select hash from entries where org_id = $1 and seq = 1) where org_id = $1`,
  );
}

const GONE = "entries seq 2: it was verified before, and is not there";
const CHANGED = "entries seq 2: it is not the row that was verified before";

describe("audit checkpoints", () => {
  test("report a verified entry as missing in every later audit, even when all its traces are deleted", async () => {
    await takeBack();
    expect([await faults(), await faults()]).toEqual([[GONE], [GONE]]);
    expect(await faults(true)).toContain(GONE);
    expect(await checkpoint()).toBe(2);
  });

  test("report a verified entry as changed when another one takes its place", async () => {
    await takeBack();
    await correct(7);
    expect([await faults(), await faults()]).toEqual([[CHANGED], [CHANGED]]);
    await correct(7);
    expect(await faults()).toEqual([CHANGED]);
    expect(await faults(true)).toContain(CHANGED);
    expect(await checkpoint()).toBe(2);
  });

  test("accept a verified entry again once it is restored", async () => {
    const { rows } = await db.pool.query("select entries from entries where org_id = $1 and seq = 2", [
      orgId,
    ]);
    await forge("delete from entries where org_id = $1 and seq = 2");
    expect(await faults(true)).toEqual([GONE]);
    await db.pool.query("insert into entries select ($1::entries).*", [rows[0].entries]);
    expect([await faults(true), await faults()]).toEqual([[], []]);
  });

  test("start at 0 for an organization without entries", async () => {
    orgId = await books.found(0);
    expect([await faults(), await checkpoint()]).toEqual([[], 0]);
    await correct(5);
    expect([await faults(), await checkpoint()]).toEqual([[], 1]);
  });

  test("are not moved back by an audit that began earlier and ends later", async () => {
    expect((await verifyLedger(overtaken(), { orgId })).faults).toEqual([]);
    expect(await checkpoint()).toBe(3);
  });
});

/** The same database, as seen by an auditor that an entry and its verification overtake before it saves its result. */
function overtaken(): Database {
  const pool = Object.create(db.pool);
  pool.query = async (statement: string | { text: string }, values?: unknown[]) => {
    if (typeof statement === "string" && statement.includes("insert into audit_checkpoints")) {
      await correct(5);
      expect(await faults()).toEqual([]);
    }
    return db.pool.query(statement as string, values);
  };
  return { ...db, pool };
}
