import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../gateway/src/db/index.ts";
import { type Check, createFaults } from "./check.ts";
import { CANARIES } from "./run-models.ts";
import type { Stage } from "./stage.ts";

/** A client's whole API key; tables may store its prefix. */
const API_KEY = "svc_live_[0-9A-Za-z]{43}";

/** Searches every log and every table for secrets. */
export async function checkSecrets(stage: Stage): Promise<Check> {
  const secrets = secretsOf(stage);
  const pattern = new RegExp([API_KEY, ...secrets.map(literally)].join("|"));
  const faults = createFaults();
  const logs = readdirSync(stage.folder).filter((name) => name.endsWith(".log"));
  const serverLog = join(stage.cluster, "..", "postgres.log");
  for (const path of [...logs.map((name) => join(stage.folder, name)), serverLog]) {
    if (hasIn(path, pattern)) faults.add(`${path} has a secret in it`);
  }
  const tables = await tablesOf(stage.database.db);
  const client = await stage.database.db.pool.connect();
  try {
    // Tables of a million rows are read in full.
    await client.query("set statement_timeout = 0");
    for (const table of tables) {
      const found = await client.query(`select from ${table} t where t::text ~ $1 limit 1`, [pattern.source]);
      if (found.rowCount !== 0) faults.add(`table ${table} has a secret in it`);
    }
  } finally {
    client.release(true);
  }
  return {
    what: "no secret in any log or table",
    looked: `${logs.length + 1} logs, ${tables.length} tables`,
    faults: faults.list,
  };
}

export function secretsOf(stage: Stage): readonly string[] {
  const { secretKey, webhookSecret } = stage.stripe.settings;
  const password = decodeURIComponent(new URL(stage.database.db.url.replace(/@[^/]*\//, "@h/")).password);
  return [...Object.values(CANARIES), secretKey, webhookSecret, password];
}

const PIECE_BYTES = 16 << 20;
/** Longer than any secret, so that none is missed between two pieces. */
const OVERLAP_BYTES = 256;

function hasIn(path: string, pattern: RegExp): boolean {
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (pattern.test(bytes.toString("latin1", start, start + PIECE_BYTES + OVERLAP_BYTES))) return true;
  }
  return false;
}

function literally(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, "\\$&");
}

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map(({ name }) => name);
}
