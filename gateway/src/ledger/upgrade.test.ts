import { afterAll, beforeAll, expect, test } from "bun:test";
import { draftAsset } from "../../../test/drafted-asset.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { createBaseDatabase } from "../../../test/upgrade/base-database.ts";
import { type AdmissionCall, createAdmitter } from "../admission/index.ts";
import { migrate } from "../db/index.ts";
import { credits, newId, systemClock } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { createLeaseKeeper, type LeaseKeeper } from "./lease/lease.ts";
import { settleAll } from "./store.ts";

const { db, drop } = await createBaseDatabase();
afterAll(drop);

const orgId = newId();
/** Calls with an Idempotency-Key, one of which has ended. */
const keyed = new Map([
  ["kept", newId()],
  ["running", newId()],
]);
let lease: LeaseKeeper;
let admit: () => Promise<AdmissionCall>;
beforeAll(async () => {
  await db.pool.query("insert into organization (id, name, slug) values ($1, 'New', 'new')", [orgId]);
  await db.pool.query("select ledger_grant($1, $1, 'anytime', 'manual', 213, null, null, 'test')", [orgId]);
  lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const { processId, epoch } = lease.current;
  admit = async () => {
    const call = admissionOf(orgId, 10);
    const { rows } = await db.pool.query(ADMIT, [processId, epoch, orgId, call.requestId]);
    expect(rows).toEqual([{ granted: "10" }]);
    return call;
  };
  for (const [key, requestId] of keyed) {
    const { rows } = await db.pool.query(ADMIT_KEYED, [processId, epoch, orgId, requestId, key]);
    expect(rows).toEqual([{ outcome: "admitted" }]);
  }
  await db.pool.query(BATCH.replace("'{NULL}')", "'{\"kept\"}')"), [orgId, keyed.get("kept")]);
});

const ADMIT_KEYED = `select outcome from ledger_admit($1, $2, false, array[$3::uuid], '{1}', array[$4::uuid], array[$3::uuid],
  '{NULL}', '{e}', '{m}', '{call}', '{10}', '{10}', '{1000}', '{1000}', '{NULL}', '{NULL}', '{960000}', array[$5::text],
  '{f}')`;
// The statements as the previous version has prepared them.
const ADMIT =
  "select granted from ledger_admit_one($1, $2, $3, $4, $3, null, 'e', 'm', 10, 10, 1000, 1000, 960000)";
const ONE = `select ledger_settle_one($1, $2, 3, 'succeeded', $1, null, 'e', 'm', 10, 5, 0, 7, null, null, 't')::text as answer`;
const BATCH = `select outcome as answer from ledger_settle('call', array[$1::uuid], '{1}', array[$2::uuid], '{3}',
  '{succeeded}', array[$1::uuid], '{NULL}', '{e}', '{m}', '{10}', '{5}', '{0}', '{7}', '{NULL}', '{NULL}', '{t}', '{NULL}')`;
const MEDIA = `select outcome as answer from ledger_settle_media('call', $1, $2, 3, 'succeeded', $1, null, 'e', 'm', 10, 5, 0, 7,
  null, null, 't', null, '[' || $3::text || ']')`;
const JOB = `select outcome as answer from ledger_end_job($1, $2, null, 'complete', 'succeeded', null, 3, $3, '{}')`;

/** The job of an admitted call, claimed by somebody who may end it. */
const BEGIN_JOB = `insert into video_jobs (org_id, request_id, created_at, deadline_at, status, provider_status, endpoint,
    model, key_id, estimate, video_order, looks, failures, due_at)
  select $1, $2, now, now + interval '1 hour', 'processing', 'running', 'e', 'm', $1, 10, '{}', 0, 0, now
  from bursar_now() as now`;

test("a node with prepared statements can use them after another node has migrated", async () => {
  const old = await db.connect();
  const settle = async (name: string, text: string) => {
    const { requestId } = await admit();
    const values = [orgId, requestId];
    if (text === JOB) await old.query(BEGIN_JOB, values);
    if (text.includes("$3")) values.push(JSON.stringify(await draftAsset(db, orgId)));
    return (await old.query<{ answer: string }>({ name, text, values })).rows[0]?.answer;
  };
  try {
    // Often enough for the server to cache their plans.
    for (let round = 1; round <= 6; round++) {
      expect(await settle("one", ONE)).toBe(`(0,3,0,0,${200 - 12 * round + 9})`);
      expect(await settle("batch", BATCH)).toBe("settled");
      expect(await settle("media", MEDIA)).toBe("settled");
      expect(await settle("job", JOB)).toBe("ended");
    }
    expect((await migrate(db, silentLog)).applied).toHaveLength(1);
    expect(await settle("one", ONE)).toBe("(0,3,0,0,125)");
    expect(await settle("batch", BATCH)).toBe("settled");
    expect(await settle("media", MEDIA)).toBe("settled");
    expect(await settle("job", JOB)).toBe("ended");
  } finally {
    await old.end();
  }
  const call = await admit();
  await settleAll(db, "call", [settlementOf(call, credits(2), { measured: '{"n":2}' })]);
  const { rows } = await db.pool.query(
    "select measured, count(*)::int from requests where org_id = $1 group by 1 order by 2",
    [orgId],
  );
  expect(rows).toEqual([
    { measured: { n: 2 }, count: 1 },
    { measured: null, count: 29 },
  ]);
  expect((await verifyLedger(db)).faults).toEqual([]);
});

test("a repeat across the upgrade finds its first call, and another API key's does not, whichever node asks", async () => {
  const admitter = createAdmitter({ db, lease });
  for (const [key, requestId] of keyed) {
    const idempotency = { key, fingerprint: Buffer.from("f") };
    const outcome = key === "running" ? "running" : "replay";
    for (const [keyId, expected] of [
      [orgId, { outcome, requestId }],
      [newId(), { outcome: "admitted" }],
    ] as const) {
      const call = admissionOf(orgId, 1, { keyId, endpoint: "e", idempotency });
      expect(await admitter.admit(call)).toMatchObject(expected);
    }
    const { processId, epoch } = lease.current;
    const { rows } = await db.pool.query(ADMIT_KEYED, [processId, epoch, orgId, newId(), key]);
    expect(rows).toEqual([{ outcome }]);
  }
  expect((await verifyLedger(db)).faults).toEqual([]);
});

test("each function that settles exists once, with no rights of its own and two optional arguments", async () => {
  const { rows } = await db.pool.query(
    `select proname, prosecdef, proacl, proconfig, pronargs - pronargdefaults as needed, pronargdefaults from pg_proc
     where pronamespace = 'public'::regnamespace and proname ~ '^ledger_(settle|end)' order by 1`,
  );
  const plain = { prosecdef: false, proacl: null, proconfig: null, pronargdefaults: 2 };
  expect(rows).toEqual([
    { ...plain, proname: "ledger_end_job", needed: 9, proconfig: ["lock_timeout=5s"] },
    { ...plain, proname: "ledger_settle", needed: 18 },
    { ...plain, proname: "ledger_settle_media", needed: 18 },
    { ...plain, proname: "ledger_settle_one", needed: 15 },
  ]);
});
