import { DURABLE_SETTINGS, type ServerSettings } from "./server-settings.ts";

/**
 * For tests, which start from nothing and lose nothing in a power cut. Nothing lives long enough to need a vacuum, and
 * an autovacuum worker reading a table would keep rows that a test has just deleted.
 */
export const THROWAWAY_SETTINGS: ServerSettings = {
  ...DURABLE_SETTINGS,
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
  // Connections of a gateway come to one plan for all values after five executions. Those of a test do not live that
  // long: planning every execution took a fifth of the CPU of the ledger's tests in PostgreSQL.
  plan_cache_mode: "force_generic_plan",
};
