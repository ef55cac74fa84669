import { afterAll, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import { credits, newId } from "../../kit/index.ts";
import { type AuditOptions, verifyLedger } from "./audit.ts";
import { loadUnaccounted } from "./audit-unaccounted-store.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

/** An organization with a grant, a finished call and a running one. */
async function keepBooks(): Promise<string> {
  const orgId = await books.found(100);
  for (const isEnded of [true, false]) {
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    if (isEnded) await ledger.settle(settlementOf(call, credits(3)));
  }
  return orgId;
}

/** Runs `look` while these accounts are deleted; restores them afterwards. */
async function without<Seen>(orgIds: readonly string[], look: () => Promise<Seen>): Promise<Seen> {
  const { rows } = await db.pool.query("delete from accounts where org_id = any($1) returning accounts", [
    orgIds,
  ]);
  try {
    return await look();
  } finally {
    const accounts = rows.map(({ accounts: account }) => account);
    await db.pool.query("insert into accounts select (unnest($1::accounts[])).*", [accounts]);
  }
}

function namedWithout(orgIds: readonly string[], options: AuditOptions = {}): Promise<string[]> {
  return without(orgIds, async () => {
    const { faults } = await verifyLedger(db, options);
    return faults.map(({ orgId, table, row, what }) => `${orgId} ${table} ${row}: ${what}`);
  });
}

const OF_CALLS = "entries, grants, holds, organization, requests, rollups";

describe("a missing account", () => {
  test("is reported with the tables that have rows of it, whatever its position among the ids", async () => {
    const orgIds = [await keepBooks(), await keepBooks(), await keepBooks(), await keepBooks()];
    const named = (orgId: string | undefined) =>
      `${orgId} accounts account: missing, with rows in ${OF_CALLS}`;
    const [first, second, third, last] = orgIds.toSorted();
    expect(await namedWithout([])).toEqual([]);
    expect(await namedWithout([first as string])).toEqual([named(first)]);
    expect(await namedWithout([second, third] as string[])).toEqual([named(second), named(third)]);
    expect(await namedWithout([last as string], { sinceCheckpoint: true })).toEqual([named(last)]);
    expect(await namedWithout(orgIds)).toEqual([first, second, third, last].map(named));
  });

  test("is found with any page size; beyond the limit only the first are reported", async () => {
    const orgIds = [await keepBooks(), await keepBooks(), await keepBooks(), await keepBooks()].toSorted();
    const gone = [orgIds[0], orgIds[1], orgIds[3]] as string[];
    const found = (limits: { most: number; page: number }) =>
      without(gone, async () => (await loadUnaccounted(db, limits)).map(({ orgId }) => orgId));
    for (const page of [1, 2, 1_000]) expect(await found({ most: 50, page })).toEqual(gone);
    expect(await found({ most: 2, page: 1 })).toEqual(gone.slice(0, 2));
  });

  test("is reported for an organization that has no other rows", async () => {
    const orgId = await books.found(0);
    expect(await namedWithout([orgId])).toEqual([
      `${orgId} accounts account: missing, with rows in organization`,
    ]);
  });

  test("is reported by an audit of its organization only", async () => {
    const orgId = await keepBooks();
    expect(await namedWithout([orgId], { orgId })).toEqual([`${orgId} accounts account: missing`]);
    expect(await namedWithout([], { orgId })).toEqual([]);
  });

  test.each(["entries", "requests"])(
    "is reported for %s of an organization that does not exist",
    async (table) => {
      const [orgId, nobody] = [await keepBooks(), newId()];
      await db.pool.query(
        `insert into ${table} select (jsonb_populate_record(x, jsonb_build_object('org_id', $2::uuid))).* from ${table} x where org_id = $1`,
        [orgId, nobody],
      );
      const { faults } = await verifyLedger(db);
      expect(faults).toEqual([
        { orgId: nobody, table: "accounts", row: "account", what: `missing, with rows in ${table}` },
      ]);
      await db.transaction(async (client) => {
        await client.query("set local session_replication_role = replica");
        await client.query(`delete from ${table} where org_id = $1`, [nobody]);
      });
    },
  );
});
