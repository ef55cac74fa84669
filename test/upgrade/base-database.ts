import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Database } from "../../gateway/src/db/index.ts";
import { createEmptyDatabase } from "../../gateway/src/db/testing.ts";

/** Every table and function as the migrations up to 0031 made them, with at least one row in every table. */
const BASE = gunzipSync(readFileSync(join(import.meta.dir, "base-0031.sql.gz"))).toString();

/** A database as the last release with migrations left it. */
export async function createBaseDatabase(): Promise<{ db: Database; drop: () => Promise<void> }> {
  const { db, drop } = await createEmptyDatabase();
  await db.pool.query(BASE);
  return { db, drop };
}
