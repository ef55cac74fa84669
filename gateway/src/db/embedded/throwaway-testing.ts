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
};
