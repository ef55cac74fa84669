import type { Database } from "../db/index.ts";
import { settleOne } from "./lone-store.ts";
import type { Settled, Settlement } from "./settlement.ts";
import { settleAll } from "./store.ts";

/**
 * Settles calls that ended together in one transaction. A lone call tries the short function first, which handles only
 * the usual case; a call with a reply to store skips it.
 */
export async function settleTogether(
  db: Database,
  settlements: readonly Settlement[],
): Promise<readonly Settled[]> {
  const [lone] = settlements;
  if (settlements.length === 1 && lone !== undefined && lone.reply === null) {
    const settled = await settleOne(db, lone);
    if (settled !== null) return [settled];
  }
  return settleAll(db, "call", settlements);
}
