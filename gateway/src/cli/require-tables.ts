import { type Database, isNewDatabase, pendingMigrations } from "../db/index.ts";
import { failed } from "./cli-error.ts";
import { commandText, countText } from "./wording.ts";

/** An empty database is not the intended one: it would be backed up, or found to be sound. */
export async function requireTables(db: Database): Promise<void> {
  if (!(await isNewDatabase(db))) return;
  throw failed(
    `The database has no Bursar tables: set DATABASE_URL or BURSAR_DATA_DIR to the gateway's value, or run ${commandText("migrate")} to create them.`,
  );
}

/** Nodes of an older version may run on it: commands that only query or administer must not migrate it under them. */
export async function requireUpToDate(db: Database): Promise<void> {
  await requireTables(db);
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  const lacking = countText(pending.length, "migration");
  throw failed(
    `The database lacks ${lacking} of this version (${pending.join(", ")}): run ${commandText("migrate")}.`,
  );
}
