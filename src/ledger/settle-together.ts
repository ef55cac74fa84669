import type { Database } from "../db/index.ts";
import { settleOne } from "./lone-store.ts";
import type { Settled, Settlement } from "./settlement.ts";
import { settleAll } from "./store.ts";

/**
 * Ends calls that ended together, in one transaction. One that ended alone takes the short way, which knows only
 * the usual end; a reply to keep tells beforehand that there is more to do.
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
