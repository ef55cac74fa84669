import { afterAll, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import { credits } from "../../kit/index.ts";
import { verifyLedger } from "./audit.ts";
import { HIGHEST_ID, LOWEST_ID } from "./audit-ids.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = await books.found(100);
  const call = admissionOf(orgId, 10);
  await admitter.admit(call);
  await ledger.settle(settlementOf(call, credits(3)));
});

const EDGES = [LOWEST_ID, HIGHEST_ID];

async function forge(sql: string, values: unknown[]): Promise<void> {
  await db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(sql, values);
  });
}

/** Inserts a copy of a row of the organization, with some columns changed. */
function copyOf(table: string, changes: Record<string, unknown>): Promise<void> {
  return forge(
    `insert into ${table} select (jsonb_populate_record(x, $2)).* from ${table} x where org_id = $1 limit 1`,
    [orgId, changes],
  );
}

async function faults(only?: string): Promise<string[]> {
  const report = await verifyLedger(db, { orgId: only });
  return report.faults.map((fault) => `${fault.orgId} ${fault.table} ${fault.row}: ${fault.what}`);
}

test.each(EDGES)("the audit reports a request forged with the id %s", async (requestId) => {
  await copyOf("requests", { request_id: requestId, charged_anytime: 5_000 });
  expect(await faults(orgId)).toEqual([
    `${orgId} requests ${requestId}: the request row and its charges differ`,
  ]);
});

test.each(EDGES)("the audit reports a charge whose request id was forged as %s", async (requestId) => {
  await forge("update entries set request_id = $2 where org_id = $1 and type = 'charge'", [orgId, requestId]);
  expect(await faults(orgId)).toContain(`${orgId} requests ${requestId}: a charge without a request row`);
});

test.each(EDGES)("the audit reports an asset whose request id was forged as %s", async (requestId) => {
  await db.pool.query(
    `insert into assets (org_id, id, created_at, type, object_key, url_token, media_type, size_bytes, sha256, model,
       request_id, key_id, credits_charged)
     values ($1, $1, bursar_now(), 'image', 'forged', gen_random_uuid()::text, 'image/png', 1, sha256('x'), 'painter', $2, $1, 15)`,
    [orgId, requestId],
  );
  expect(await faults(orgId)).toEqual([
    `${orgId} assets ${requestId}: assets of a request that is not there`,
  ]);
});

test.each(EDGES)(
  "the audit reports rows forged for the organization id %s until that has an account",
  async (nobody) => {
    for (const table of ["entries", "grants", "requests"]) await copyOf(table, { org_id: nobody });
    expect(await faults()).toContain(
      `${nobody} accounts account: missing, with rows in entries, grants, requests`,
    );
    await db.pool.query("insert into accounts (org_id) values ($1)", [nobody]);
    expect((await faults()).filter((fault) => fault.includes("missing, with rows"))).toEqual([]);
  },
);
