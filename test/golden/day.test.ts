import { test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { expectGolden, withNumberedIds } from "./golden.ts";
import { FIXED_IDS, liveThroughDay } from "./ledger-day.ts";

/** Every table that says something about credits, with the columns to sort by. */
const TABLES = {
  accounts: "org_id",
  entries: "org_id, seq",
  grants: "org_id, created_at, pool, amount",
  corrections: "org_id, id",
  holds: "org_id, request_id",
  requests: "org_id, request_id",
  rollups: "org_id, day, key_id, member_id, model, endpoint",
  key_windows: "org_id, key_id",
  idempotency: "org_id, endpoint, key",
  price_rules: "id",
  token_corrections: "model, kind",
  own_token_corrections: "org_id, model, kind",
  video_jobs: "org_id, request_id",
  assets: "org_id, id",
  stray_objects: "object_key",
  subscriptions: "org_id",
  payment_orders: "id",
  payments: "id",
  payment_reversals: "id",
  paid_subscriptions: "org_id",
  replaced_subscriptions: "id",
  balance_notices: "org_id",
  audit_checkpoints: "org_id",
} as const;

const HASH = /(hash":")[^"]+/g;

type Row = { readonly org_id?: string };

async function rowsOf({ db }: TestDatabase, table: string, order: string): Promise<Row[]> {
  const { rows } = await db.pool.query<{ row: Row }>(
    `select to_jsonb(t) as row from ${table} t order by ${order}`,
  );
  return rows.map(({ row }) => row);
}

/** Organizations whose chain contains an id that the code chose: their hashes differ in every run. */
async function chosenByChance({ db }: TestDatabase): Promise<ReadonlySet<string | undefined>> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select org_id as id from entries where reference ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' and reference not like $1`,
    [`${FIXED_IDS}%`],
  );
  return new Set(rows.map(({ id }) => id));
}

test("a day of the ledger is as recorded: every answer, every row and the hash chains", async () => {
  const database = await createTestDatabase();
  try {
    const said = await liveThroughDay(database);
    said.push(`verify: ${JSON.stringify(await verifyLedger(database.db))}`, "");
    const tables: string[] = [];
    const byChance = await chosenByChance(database);
    for (const [table, order] of Object.entries(TABLES)) {
      const rows = await rowsOf(database, table, order);
      const lines = rows.map((row) =>
        byChance.has(row.org_id) ? JSON.stringify(row).replace(HASH, "$1by chance") : JSON.stringify(row),
      );
      tables.push([`# ${table}`, ...lines, ""].join("\n"));
    }
    expectGolden("ledger-day", withNumberedIds([said.join("\n"), ...tables].join("\n")));
  } finally {
    await database.drop();
  }
});
