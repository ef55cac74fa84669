import type { TestDatabase } from "../../src/db/testing.ts";
import type { Clock } from "../../src/kit/index.ts";
import { createLeaseKeeper, type LeaseKeeper, sweepHolds } from "../../src/ledger/index.ts";
import { silentLog } from "../../src/telemetry/index.ts";

/** Beyond a lease, so that one that was not renewed has ended. */
export const BEYOND_A_LEASE_MS = 16_000;

/** A node that does nothing but sweep, and whose time the test moves instead of waiting. */
export type SweepingNode = {
  /** A lease's time passes for all but the living; then this node sweeps. Answers how many holds it released. */
  sweepAfterALease(...living: readonly LeaseKeeper[]): Promise<number>;
  close(): Promise<void>;
};

export async function startSweepingNode(database: TestDatabase): Promise<SweepingNode> {
  const { db } = database;
  let elapsedMs = 0;
  const clock: Clock = { nowMs: () => Date.now(), elapsedMs: () => elapsedMs };
  const lease = await createLeaseKeeper({ db, log: silentLog, clock, onLost: () => {} });
  return {
    async sweepAfterALease(...living) {
      await database.advanceClock(BEYOND_A_LEASE_MS);
      for (const one of living) await one.renew();
      // Renewed without a gap of a whole lease: a node may only judge others while its own is unbroken.
      for (const stepMs of [BEYOND_A_LEASE_MS / 2, BEYOND_A_LEASE_MS / 2]) {
        elapsedMs += stepMs;
        await lease.renew();
      }
      return sweepHolds({ db, log: silentLog, lease });
    },
    close: () => lease.leave(),
  };
}
