/**
 * The one PostgreSQL: Bursar's own under the data folder, or the one that `DATABASE_URL` names. Owns its pool, its
 * transactions, its migrations, and backup copies of all of it.
 * Refuses to know any table except its own `schema_migrations`, and any business term.
 *
 * Invariants:
 * - PostgreSQL outlives the process that started it, and the last process to leave stops it.
 * - A database is made and upgraded from `sql/`: forward only, one process at a time, completely or not at all.
 * - No wait is unbounded.
 */
export { RestoreError, requireEmptyDatabase, restoreTables } from "./backup/restore-tables.ts";
export { saveTables } from "./backup/save-tables.ts";
export { tablesManifest } from "./backup/tables-manifest.ts";
export { companionLanes } from "./companion-lanes.ts";
export { connectDatabase, type Database, inTransaction, openDatabase } from "./database.ts";
export {
  acceptDatabaseTime,
  loadClockSkewMs,
  loadDatabaseNow,
  loadIsTimeBelieved,
} from "./database-clock.ts";
export { hasCluster } from "./embedded/cluster-paths.ts";
export { versionToMake } from "./embedded/cluster-to-make.ts";
export { EmbeddedPostgresError } from "./embedded/embedded-error.ts";
export { EMBEDDED_MAX_CONNECTIONS } from "./embedded/server-settings.ts";
export type { SeenTime } from "./expected-time.ts";
export {
  isDatabaseAway,
  isOutOfConnections,
  isReadOnly,
  isRefusedStatement,
  ReadOnlyDatabaseError,
} from "./is-away.ts";
export { isLockTimeout } from "./lock-timeout.ts";
export {
  howToOwnDatabase,
  howToOwnTables,
  isNewDatabase,
  MigrationError,
  migrate,
  migratedTables,
  NOT_ALLOWED,
  pendingMigrations,
} from "./migrate.ts";
export {
  DatabaseEncodingError,
  HOW_TO_MAKE,
  PooledSessionsError,
  UnreachableDatabaseError,
} from "./named-database.ts";
export { byteaArray, plainArray, plainColumn, quotedArray, quotedColumn } from "./sql-array.ts";
export { numberFields } from "./sql-row.ts";
