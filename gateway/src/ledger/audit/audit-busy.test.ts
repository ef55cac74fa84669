import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import type { AdmissionCall } from "../../admission/index.ts";
import type { Database } from "../../db/index.ts";
import { credits } from "../../kit/index.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeAll(async () => {
  orgId = await books.found(10_000);
});

/** A call that is charged, and one that is still running. */
async function write(): Promise<void> {
  const [ended, running] = [2, 1].map((amount) => admissionOf(orgId, amount, { keyInFlight: 10_000 })) as [
    AdmissionCall,
    AdmissionCall,
  ];
  await Promise.all([admitter.admit(ended), admitter.admit(running)]);
  await ledger.settle(settlementOf(ended, credits(2)));
}

/** The same database, as seen by a reader that finds it changed after each of its statements. */
function neverPausing(): Database {
  const pool = Object.create(db.pool);
  pool.query = async (statement: string, values?: unknown[]) => {
    const result = await db.pool.query(statement, values);
    await write();
    return result;
  };
  return { ...db, pool };
}

async function forge(sql: string): Promise<void> {
  await db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(sql, [orgId]);
  });
}

describe("auditing an organization whose calls never pause", () => {
  test.each([false, true])(
    "finds no faults in sound books, since the last audit: %p",
    async (sinceCheckpoint) => {
      await write();
      const report = await verifyLedger(neverPausing(), { orgId, sinceCheckpoint });
      expect(report.faults).toEqual([]);
      expect(report.entries).toBeGreaterThan(0);
    },
  );

  test("replays up to the entry at which the account was read; the next audit continues there", async () => {
    await verifyLedger(db, { orgId });
    await write();
    await write();
    const before = await newestEntry();
    const first = await verifyLedger(neverPausing(), { orgId, sinceCheckpoint: true });
    const second = await verifyLedger(db, { orgId, sinceCheckpoint: true });
    expect(first.entries).toBeGreaterThanOrEqual(2);
    expect(first.entries + second.entries).toBe((await newestEntry()) - before + 2);
  });

  test("still reports a hold that was deleted", async () => {
    await forge(
      "delete from holds where request_id = (select request_id from holds where org_id = $1 limit 1)",
    );
    const { faults } = await verifyLedger(neverPausing(), { orgId });
    expect(faults.map(({ table, what }) => `${table}: ${what}`)).toEqual([
      expect.stringMatching(/^holds: anytime_held is \d+, the holds add up to \d+$/),
      expect.stringMatching(/^holds: calls_in_flight is \d+, there are \d+ holds of calls$/),
      expect.stringMatching(/^key_windows: calls_in_flight is \d+, its holds are \d+$/),
    ]);
  });
});

async function newestEntry(): Promise<number> {
  const { rows } = await db.pool.query("select max(seq)::int as seq from entries where org_id = $1", [orgId]);
  return rows[0].seq;
}
