/** Settings of our own PostgreSQL, passed on its command line so that every start uses the current ones. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** Enough for sixteen workers with pools of the usual size. */
export const EMBEDDED_MAX_CONNECTIONS = 300;

/**
 * Durable and lean: every commit is on disk before it is confirmed, and an idle server is a handful of small processes.
 * Its log contains no rows and no statements, since those may contain users' data.
 */
export const DURABLE_SETTINGS: ServerSettings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: EMBEDDED_MAX_CONNECTIONS,
  superuser_reserved_connections: 0,
  shared_buffers: "64MB",
  max_wal_size: "1GB",
  // Nothing replicates from it, so the write-ahead log need not carry what replicas need.
  wal_level: "minimal",
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_timezone: "UTC",
};

export function settingArgs(settings: ServerSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
