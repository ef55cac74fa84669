import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOrganization } from "../../../../test/ledger-script.ts";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import { createAdmitter } from "../../admission/index.ts";
import { createTestDatabase, type TestDatabase } from "../../db/testing.ts";
import { credits, newId, systemClock } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createLeaseKeeper } from "../lease/lease.ts";
import { createLedger } from "../ledger.ts";
import { verifyLedger } from "./audit.ts";

const CALLS = 12;

/** An organization with a grant, a charge per call and one call that is still running. */
async function keepBooks(database: TestDatabase): Promise<string> {
  const orgId = newId();
  await createOrganization(database, orgId);
  const ledger = createLedger(database.db);
  const lease = await createLeaseKeeper({
    db: database.db,
    log: silentLog,
    clock: systemClock,
    onLost: () => {},
  });
  const admitter = createAdmitter({ db: database.db, lease });
  await ledger.grant({
    orgId,
    pool: "anytime",
    amount: credits(1000),
    reference: "a payment",
    expiresAt: null,
    kind: "manual",
    description: "gift",
  });
  const calls = Array.from({ length: CALLS }, () => admissionOf(orgId, 10));
  await Promise.all(calls.map((call) => admitter.admit(call)));
  await Promise.all(calls.slice(1).map((call) => ledger.settle(settlementOf(call, credits(3)))));
  return orgId;
}

/** What somebody with the database's password could do, and which row the audit must then name. */
const FORGERIES: [string, string, RegExp][] = [
  [
    "the amount of an entry",
    "update entries set amount = amount + 1 where org_id = $1 and seq = 5",
    /entries seq 5: the row/,
  ],
  [
    "the date of an entry",
    "update entries set created_at = created_at - interval '1 us' where org_id = $1 and seq = 1",
    /entries seq 1: the row/,
  ],
  [
    "the description of an entry",
    "update entries set description = 'x' where org_id = $1 and seq = 7",
    /entries seq 7: the row/,
  ],
  [
    "the reference of an entry",
    "update entries set reference = null where org_id = $1 and seq = 1",
    /entries seq 1: the row/,
  ],
  [
    "the request of an entry",
    "update entries set request_id = null where org_id = $1 and seq = 3",
    /entries seq 3: the row/,
  ],
  [
    "the hash of an entry",
    "update entries set hash = sha256('x') where org_id = $1 and seq = 4",
    /entries seq 4: the row/,
  ],
  [
    "an entry deleted from the middle",
    "delete from entries where org_id = $1 and seq = 6",
    /entries seq 7: entries before it are missing/,
  ],
  [
    "the last entry deleted",
    "delete from entries where org_id = $1 and seq = 12",
    /the account's head is entry 12, the last row is 11/,
  ],
  [
    "an entry added",
    "insert into entries select org_id, 13, created_at, type, pool, amount, balance_after - 3, null, null, 'x', sha256('x') from entries where org_id = $1 and seq = 12",
    /entries seq 13: the row/,
  ],
  ...["-1", "0", "9007199254740993", "9223372036854775807"].map((seq): [string, string, RegExp] => [
    `an entry added as number ${seq}`,
    `insert into entries values ($1, ${seq}, now(), 'charge', 'anytime', -3, 1, null, null, 'x', sha256('x'))`,
    new RegExp(`entries seq ${seq}: (it stands before the first entry|entries before it are missing)$`, "m"),
  ]),
  [
    "the balance of an account",
    "update accounts set anytime_available = anytime_available + 5 where org_id = $1",
    /accounts account: anytime is/,
  ],
  [
    "a hold deleted",
    "delete from holds where org_id = $1",
    /holds account: anytime_held is 10, the holds add up to 0/,
  ],
  [
    "a day of usage",
    "update rollups set credits_charged = credits_charged - 1 where org_id = $1",
    /rollups \d{4}-\d\d-\d\d: usage reports 32 credits, the ledger charged 33/,
  ],
  [
    "the charge of a request",
    "update requests set charged_anytime = 2 where (org_id, request_id) = (select org_id, request_id from requests where org_id = $1 limit 1)",
    /requests [0-9a-f-]{36}: the request row and its charges differ/,
  ],
  [
    "a request deleted",
    "delete from requests where (org_id, request_id) = (select org_id, request_id from requests where org_id = $1 limit 1)",
    /requests [0-9a-f-]{36}: a charge without a request row/,
  ],
];

describe("audit", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("finds no faults in sound books while a call is running", async () => {
    const orgId = await keepBooks(database);
    const report = await verifyLedger(database.db, { orgId });
    expect(report).toEqual({ organizations: 1, entries: CALLS, faults: [], skipsCheckpoints: false });
  });

  for (const [what, forgery, named] of FORGERIES) {
    test(`reports tampering: ${what}`, async () => {
      const orgId = await keepBooks(database);
      await forge(database, forgery, orgId);
      const { faults } = await verifyLedger(database.db, { orgId });
      expect(faults.map((fault) => `${fault.table} ${fault.row}: ${fault.what}`).join("\n")).toMatch(named);
      expect(faults.every((fault) => fault.orgId === orgId)).toBe(true);
    });
  }

  test("entries refuse to be updated, deleted or truncated", async () => {
    for (const sql of ["update entries set amount = 1", "delete from entries", "truncate entries"]) {
      await expect(database.db.pool.query(sql)).rejects.toThrow("append-only");
    }
  });

  test("an incremental audit replays only new entries; a full audit finds a change to them", async () => {
    const orgId = await keepBooks(database);
    await verifyLedger(database.db, { orgId });
    const ledger = createLedger(database.db);
    await ledger.grant({
      orgId,
      pool: "anytime",
      amount: credits(5),
      reference: null,
      expiresAt: null,
      kind: "manual",
      description: "more",
    });
    expect(await verifyLedger(database.db, { orgId, sinceCheckpoint: true })).toEqual({
      organizations: 1,
      entries: 1,
      faults: [],
      skipsCheckpoints: false,
    });
    await forge(database, "update entries set amount = 6 where org_id = $1 and seq = 13", orgId);
    expect((await verifyLedger(database.db, { orgId })).faults).not.toEqual([]);
  });
});

async function forge(database: TestDatabase, sql: string, orgId: string): Promise<void> {
  await database.db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(sql, [orgId]);
  });
}
