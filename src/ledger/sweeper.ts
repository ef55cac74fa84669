import type { Database } from "../db/index.ts";
import { failpoint } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { LeaseKeeper } from "./lease.ts";
import { endExpiredLeases, forgetReplies, loadDueAccounts, loadOrphans } from "./lease-store.ts";
import { loadAccount, settleAll } from "./store.ts";

const BATCH = 500;
/** Rounds of one sweep at most; the next sweep goes on. */
const MAX_ROUNDS = 20;

/**
 * Releases the holds of processes that died. Acts only while this process's own lease is unbroken,
 * so that a database outage, which lets every lease run out, does not release live calls.
 */
export async function sweepHolds(input: { db: Database; log: Log; lease: LeaseKeeper }): Promise<number> {
  if (!input.lease.maySweep()) return 0;
  const ended = await endExpiredLeases(input.db);
  if (ended > 0) input.log.warn("leases_ended", { leases: ended });
  let released = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const orphans = await loadOrphans(input.db, BATCH);
    if (orphans.length === 0) break;
    await failpoint("sweeper_mid_batch");
    const settled = await settleAll(input.db, "sweeper", orphans);
    released += settled.filter((one) => one.outcome === "settled").length;
  }
  if (released > 0) input.log.warn("orphaned_holds_released", { holds: released });
  return released;
}

/** Writes the expiry of periods that ended while nobody looked. */
export async function expirePeriods(db: Database): Promise<number> {
  let expired = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const due = await loadDueAccounts(db, BATCH);
    if (due.length === 0) break;
    for (const orgId of due) await loadAccount(db, orgId);
    expired += due.length;
  }
  return expired;
}

export async function forgetOldReplies(db: Database): Promise<number> {
  let forgotten = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const count = await forgetReplies(db, BATCH);
    forgotten += count;
    if (count < BATCH) break;
  }
  return forgotten;
}
