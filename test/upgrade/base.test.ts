import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { migrate } from "../../gateway/src/db/index.ts";
import { createEmptyDatabase } from "../../gateway/src/db/testing.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";

/** Every table and function as the migrations up to 0031 made them, with at least one row in every table. */
const BASE = gunzipSync(readFileSync(join(import.meta.dir, "base-0031.sql.gz"))).toString();

/** The heads of its hash chains. */
const HEADS = "select org_id, entry_seq, encode(entry_hash, 'hex') as head from accounts order by org_id";

test("a database of the base opens, with a sound ledger and the chains that it had", async () => {
  const { db, drop } = await createEmptyDatabase();
  try {
    await db.pool.query(BASE);
    const { rows: before } = await db.pool.query(HEADS);
    await migrate(db, silentLog);
    const { faults, entries } = await verifyLedger(db);
    expect({ faults, entries }).toEqual({ faults: [], entries: 25 });
    expect((await db.pool.query(HEADS)).rows).toEqual(before);
  } finally {
    await drop();
  }
});
