import { type Database, isDatabaseAway, isLockTimeout } from "../db/index.ts";
import { failpoint } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { LeaseKeeper } from "./lease/lease.ts";
import { endExpiredLeases, forgetReplies, loadDueAccounts, loadOrphans } from "./lease/lease-store.ts";
import { createPassedOver, type PassedOver } from "./passed-over.ts";
import type { Settlement } from "./settlement.ts";
import { loadAccount, settleAll } from "./store.ts";

const BATCH = 500;
/** Most rounds of one sweep of holds or periods; the next sweep continues. */
const MAX_ROUNDS = 20;

/**
 * Releases the holds of processes that died. Acts only while this process's own lease is unbroken, so that a database
 * outage, during which every lease expires, does not release the holds of live calls.
 */
export async function sweepHolds(input: { db: Database; log: Log; lease: LeaseKeeper }): Promise<number> {
  if (!input.lease.maySweep()) return 0;
  const ended = await endExpiredLeases(input.db, input.lease.current.processId);
  if (ended === null) {
    input.log.warn("database_clock_was_set");
    input.lease.doubt();
    return 0;
  }
  if (ended > 0) input.log.warn("leases_ended", { leases: ended });
  const passedOver = createPassedOver();
  let released = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const orphans = await loadOrphans(input.db, { limit: BATCH, except: passedOver.orgIds });
    if (orphans.length === 0) break;
    await failpoint("sweeper_mid_batch");
    released += await releaseAll(input, orphans, passedOver);
  }
  if (released > 0) input.log.warn("orphaned_holds_released", { holds: released });
  passedOver.finish();
  return released;
}

/** Releases all in one transaction; if that fails, in one per organization; if that fails too, one by one. */
async function releaseAll(
  { db, log }: { db: Database; log: Log },
  orphans: readonly Settlement[],
  passedOver: PassedOver,
): Promise<number> {
  try {
    return await release(db, orphans);
  } catch (error) {
    if (!isLockTimeout(error))
      log.warn("sweep_batch_failed", { holds: orphans.length, error: String(error) });
    let released = 0;
    for (const [orgId, own] of Map.groupBy(orphans, (orphan) => orphan.orgId)) {
      released += await releaseOwn(db, own, { orgId, passedOver });
    }
    return released;
  }
}

/**
 * Releases the holds of one organization. A hold that cannot be released must not block the others. A locked account
 * ends the attempt, since each hold would wait for the lock again.
 */
async function releaseOwn(
  db: Database,
  orphans: readonly Settlement[],
  { orgId, passedOver }: { orgId: string; passedOver: PassedOver },
): Promise<number> {
  let released = 0;
  const failures: unknown[] = [];

  async function tryTo(work: () => Promise<number>): Promise<boolean> {
    try {
      released += await work();
      return true;
    } catch (error) {
      if (isLockTimeout(error) || isDatabaseAway(error)) throw error;
      failures.push(error);
      return false;
    }
  }

  await passedOver.attempt(orgId, async () => {
    if (await tryTo(() => release(db, orphans))) return;
    failures.length = 0;
    for (const orphan of orphans) await tryTo(() => release(db, [orphan]));
    if (failures.length > 0) throw failures[0];
  });
  return released;
}

async function release(db: Database, orphans: readonly Settlement[]): Promise<number> {
  const settled = await settleAll(db, "sweeper", orphans);
  return settled.filter((one) => one.outcome === "settled").length;
}

/** Records the expiry of periods that have ended, for accounts that were not used since. */
export async function expirePeriods(db: Database): Promise<number> {
  const passedOver = createPassedOver();
  let expired = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const due = await loadDueAccounts(db, { limit: BATCH, except: passedOver.orgIds });
    if (due.length === 0) break;
    for (const orgId of due) {
      if ((await passedOver.attempt(orgId, () => loadAccount(db, orgId))) !== null) expired++;
    }
  }
  passedOver.finish();
  return expired;
}

/** One run deletes all that a busy day has stored, so that prompts and outputs are not kept longer than promised. */
const FORGET_WITHIN_MS = 20_000;

export async function forgetOldReplies(
  db: Database,
  { withinMs = FORGET_WITHIN_MS }: { readonly withinMs?: number } = {},
): Promise<number> {
  const lastMs = performance.now() + withinMs;
  let forgotten = 0;
  let count: number;
  do {
    count = await forgetReplies(db, BATCH);
    forgotten += count;
  } while (count === BATCH && performance.now() < lastMs);
  return forgotten;
}
