/**
 * The one PostgreSQL: Bursar's own under the data folder, or the one `DATABASE_URL` names; its
 * pool, its transactions and its migrations.
 *
 * Refuses to know: any table but its own `schema_migrations`, and any business word.
 *
 * Invariants: PostgreSQL outlives whoever started it and is stopped by the last process to leave;
 * migrations go forward only, one process at a time, each whole or not at all; no wait is unbounded.
 */
export { connectDatabase, type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { EmbeddedPostgresError } from "./embedded-error.ts";
export { isDatabaseAway } from "./is-away.ts";
export { MigrationError, migrate, pendingMigrations } from "./migrate.ts";
export { byteaArray, plainArray, quotedArray } from "./sql-array.ts";
export { numberFields } from "./sql-row.ts";
