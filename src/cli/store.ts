import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";

/** The clock that credits and keys go by. */
export async function loadDatabaseNow(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(rows[0], "the database's time").now;
}

export async function loadServerVersion(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ version: string }>(
    "select split_part(current_setting('server_version'), ' ', 1) as version",
  );
  return present(rows[0], "the server's version").version;
}
