import type { TestDatabase } from "../../gateway/src/db/testing.ts";
import type { Clock } from "../../gateway/src/kit/index.ts";
import { type LeaseKeeper, sweepHolds } from "../../gateway/src/ledger/index.ts";
import { takeLease } from "../../gateway/src/ledger/lease/lease.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";

/** Longer than a lease, so that one that was not renewed has expired. */
export const BEYOND_A_LEASE_MS = 16_000;
const MOST_LOOKS = 1_000;

/** A node that only sweeps. The test moves its clocks instead of waiting. */
export type SweepingNode = {
  /** Lets a lease expire for every node except `living`, then sweeps. Returns how many holds it released. */
  sweepAfterALease(...living: readonly LeaseKeeper[]): Promise<number>;
  /**
   * Like `sweepAfterALease`, until the organization has no hold: another gateway in the test may have started the same
   * sweep a moment before.
   */
  sweepUntilReleased(orgId: string, ...living: readonly LeaseKeeper[]): Promise<void>;
  close(): Promise<void>;
};

export async function startSweepingNode(
  database: Pick<TestDatabase, "db" | "advanceClock">,
): Promise<SweepingNode> {
  const { db } = database;
  let elapsedMs = 0;
  const clock: Clock = { nowMs: () => Date.now(), elapsedMs: () => elapsedMs };
  const lease = await takeLease({ db, log: silentLog, clock, onLost: () => {} });
  const sweepAfterALease: SweepingNode["sweepAfterALease"] = async (...living) => {
    // Renewed before a whole lease has passed: a node may only judge others while its own lease is unbroken, by both
    // clocks.
    for (const stepMs of [BEYOND_A_LEASE_MS / 2, BEYOND_A_LEASE_MS / 2]) {
      elapsedMs += stepMs;
      await database.advanceClock(stepMs);
      for (const one of [...living, lease]) await one.renew();
    }
    return sweepHolds({ db, log: silentLog, lease });
  };
  return {
    sweepAfterALease,
    async sweepUntilReleased(orgId, ...living) {
      await sweepAfterALease(...living);
      for (let looks = 0; looks < MOST_LOOKS; looks++) {
        const left = await db.pool.query("select 1 from holds where org_id = $1", [orgId]);
        if (left.rowCount === 0) return;
        await Bun.sleep(10);
      }
      throw new Error("its hold is not released");
    },
    close: () => lease.leave(),
  };
}
