import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../../test/paid-items.ts";
import { credits } from "../../kit/index.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

/** So many in one group that each gets the smallest share of a statement. */
const NEIGHBOURS = 300;
/** More than that share, most of them without a charge. */
const CALLS = 260;

let busy: string;
let quiet: string;
let requestIds: string[];

beforeAll(async () => {
  await db.pool.query(
    `insert into organization (id, name, slug) select gen_random_uuid(), n::text, 'n' || n from generate_series(1, $1) n`,
    [NEIGHBOURS],
  );
  busy = await books.found(1_000);
  quiet = await books.found(5);
  const calls = Array.from({ length: CALLS }, () => admissionOf(busy, 1));
  requestIds = calls.map((call) => call.requestId).sort();
  await Promise.all(calls.map((call) => admitter.admit(call)));
  await Promise.all(
    calls.map((call, at) => ledger.settle(at % 5 === 0 ? settlementOf(call, credits(1)) : releaseOf(call))),
  );
});

async function forged(sql: string, values: unknown[]): Promise<string[]> {
  await db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(sql, values);
  });
  const { faults } = await verifyLedger(db, { atOnce: 3 });
  return faults.map((fault) => `${fault.orgId} ${fault.table} ${fault.row}`);
}

describe("auditing many organizations together", () => {
  test("counts all of them and finds no faults in sound books", async () => {
    expect(await verifyLedger(db, { atOnce: 3 })).toEqual({
      organizations: NEIGHBOURS + 2,
      entries: 2 + CALLS / 5,
      faults: [],
      skipsCheckpoints: false,
    });
  });

  test("saves checkpoints, so that the next audit replays only new entries", async () => {
    await verifyLedger(db);
    await ledger.grant(books.grantOf(quiet, 1));
    const report = await verifyLedger(db, { sinceCheckpoint: true });
    expect([report.entries, report.faults]).toEqual([1, []]);
  });

  test("reports a change to the last of an organization's many requests", async () => {
    const last = requestIds.at(-1);
    const change =
      "update requests set charged_anytime = charged_anytime + $2 where org_id = $1 and request_id = $3";
    expect(await forged(change, [busy, 1, last])).toEqual([`${busy} requests ${last}`]);
    expect(await forged(change, [busy, -1, last])).toEqual([]);
  });

  test("reports credits moved from one organization's account to another's", async () => {
    const move =
      "update accounts set anytime_available = anytime_available + case org_id when $1 then 1 else -1 end where org_id in ($1, $2)";
    expect((await forged(move, [busy, quiet])).sort()).toEqual(
      [`${busy} accounts account`, `${quiet} accounts account`].sort(),
    );
    expect(await forged(move, [quiet, busy])).toEqual([]);
  });
});
