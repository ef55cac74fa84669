import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createAdmitter } from "../../gateway/src/admission/index.ts";
import { type Database, migrate, restoreTables, saveTables } from "../../gateway/src/db/index.ts";
import { createEmptyDatabase } from "../../gateway/src/db/testing.ts";
import { credits, present, systemClock } from "../../gateway/src/kit/index.ts";
import { createLeaseKeeper, createLedger, verifyLedger } from "../../gateway/src/ledger/index.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { admissionOf, settlementOf } from "../paid-items.ts";
import { makeTestFolder } from "../test-folder.ts";
import { createBaseDatabase } from "./base-database.ts";

const folder = makeTestFolder();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(drops.map((drop) => drop()));
});

type Table = { readonly name: string; readonly columns: string };

/** Those of the base, with the columns that they have there. */
async function tablesOf({ pool }: Database): Promise<readonly Table[]> {
  const { rows } = await pool.query<Table>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' group by 1`,
  );
  return rows;
}

/** Every row of every table, in an order that does not depend on where it is; the heads of the chains are in accounts. */
async function rowsOf({ pool }: Database, tables: readonly Table[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const { rows } = await pool.query(
      `select string_agg(t::text, '\n' order by t::text) as all from (select ${columns} from ${name}) t`,
    );
    found[name] = rows[0]?.all ?? "";
  }
  return found;
}

test("a database of the base opens with a sound ledger and every row as it was, and so does its backup", async () => {
  const [base, restored] = [await createBaseDatabase(), await createEmptyDatabase()];
  drops.push(base.drop, restored.drop);
  const tables = await tablesOf(base.db);
  const before = await rowsOf(base.db, tables);
  expect(Object.keys(before).filter((name) => before[name] === "")).toEqual([
    "requests_2026_12",
    "requests_2027_01",
  ]);
  await restoreTables(restored.db, folder, await saveTables(base.db, folder));
  await migrate(base.db, silentLog);
  for (const db of [base.db, restored.db]) {
    expect(await rowsOf(db, tables)).toEqual(before);
    const { faults, entries } = await verifyLedger(db);
    expect({ faults, entries }).toEqual({ faults: [], entries: 25 });
    await settleCall(db);
    expect(await verifyLedger(db)).toMatchObject({ faults: [], entries: 26 });
  }
});

/** While the periods of the base run, which end on 2026-12-19. */
const CLOCK_OF_BASE =
  "create or replace function bursar_now() returns timestamptz language sql return timestamptz '2026-12-01Z'";

/** A call of the organization `acme`, for one credit. */
async function settleCall(db: Database): Promise<void> {
  await db.pool.query(CLOCK_OF_BASE);
  const { rows } = await db.pool.query("select id from organization where slug = 'acme'");
  const orgId = present(rows[0]?.id, "acme");
  const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const call = admissionOf(orgId, 1);
  expect(await createAdmitter({ db, lease }).admit(call)).toMatchObject({ outcome: "admitted" });
  const settled = await createLedger(db).settle(settlementOf(call, credits(1)));
  expect(settled).toMatchObject({ outcome: "settled", chargedSubscription: 1 });
}
