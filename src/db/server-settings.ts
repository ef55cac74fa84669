/** Settings of our own PostgreSQL, given on its command line so that every start has the current ones. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** Sixteen workers with pools of ordinary size. */
export const EMBEDDED_MAX_CONNECTIONS = 300;

/**
 * Durable and lean: every commit is on disk before it is answered, and an idle server is a handful
 * of small processes. Its log names no row and no statement, since those may hold what people sent.
 */
export const DURABLE_SETTINGS: ServerSettings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: EMBEDDED_MAX_CONNECTIONS,
  shared_buffers: "64MB",
  max_wal_size: "1GB",
  // Nobody replicates from it, so the write-ahead log need not carry what replicas would want.
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

/**
 * For tests, which start from nothing and lose nothing in a power cut. Nothing lives long enough to be vacuumed, and a
 * worker that looks at a table would keep the rows that a test has just removed.
 */
export const THROWAWAY_SETTINGS: ServerSettings = {
  ...DURABLE_SETTINGS,
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
};

export function settingArgs(settings: ServerSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
