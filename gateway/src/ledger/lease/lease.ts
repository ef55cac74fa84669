import { hostname } from "node:os";
import type { Database } from "../../db/index.ts";
import { type Clock, newId } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { acquireLease, leaveLease, renewLease } from "./lease-store.ts";
import type { NodeMarks } from "./node-marks.ts";

const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
const LOST =
  "This process did not renew its lease in time, and another ended it. Calls that run here are ended and cost nothing.";

const DOUBTED =
  "The database's clock has jumped, or differs from this machine's. Until it is right again no credits expire, no plan is renewed and nothing is swept. If it is right as it is: bursar clock accept.";
const UNUSED =
  "Calls are served as always. For ten minutes nothing expires or renews, in case a clock jumped meanwhile. To not wait: bursar clock accept.";

/** The process and epoch that a hold belongs to. */
export type Epoch = { readonly processId: string; readonly epoch: number };

export type LeaseKeeper = {
  readonly current: Epoch;
  /**
   * True once the lease has been renewed without a gap for a whole lease period. Only then may this process end the
   * leases of others.
   */
  maySweep(): boolean;
  /** The stored leases cannot be trusted: for a whole lease period this process ends nobody's lease. */
  doubt(): void;
  /** Renews once, now; the keeper's timer calls this. */
  renew(): Promise<void>;
  /** Gives the lease back: remaining holds become orphans at once. */
  leave(): Promise<void>;
};

type LeaseInput = {
  db: Database;
  log: Log;
  clock: Clock;
  /** Published to the other nodes, which must have the same. */
  marks?: NodeMarks;
  /** Must end the calls of the lost epoch: their holds are no longer theirs. */
  onLost(): void;
};

/** Keeps this process's lease alive until the process exits or leaves. */
export async function createLeaseKeeper(input: LeaseInput): Promise<LeaseKeeper> {
  const lease = await takeLease(input);
  const timer = setInterval(() => void lease.renew(), RENEW_EVERY_MS);
  timer.unref();
  const { leave } = lease;
  return Object.assign(lease, {
    async leave() {
      clearInterval(timer);
      await leave();
    },
  });
}

/**
 * A lease without a timer, renewed only by `renew()`. Tests that kill processes or move the clock need this: on a slow
 * machine a timer could renew a lease that should expire.
 *
 * If the process was suspended for longer than a lease and its epoch was ended meanwhile, it ends the calls of that
 * epoch and goes on under a new one. If nobody ended it (a laptop that slept), nothing is lost.
 */
export async function takeLease(input: LeaseInput): Promise<LeaseKeeper> {
  const { db, log, clock } = input;
  const self = { id: newId(), host: hostname(), pid: process.pid, marks: input.marks ?? null };
  let told: "believed" | "unused" | "doubted" = "believed";
  noteTime();
  let current: Epoch = { processId: self.id, epoch: await acquireLease(db, self) };
  let unbrokenSinceMs: number | null = clock.elapsedMs();
  let lastRenewedMs = clock.elapsedMs();
  let left = false;
  let underWay: Promise<void> | null = null;

  /**
   * One renewal at a time: two that both find the epoch ended would each acquire a new one, and might keep the older.
   */
  function renew(): Promise<void> {
    underWay ??= renewOnce().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function renewOnce(): Promise<void> {
    if (left) return;
    const startedMs = clock.elapsedMs();
    // A gap by our own clock also breaks the chain: the process may have been suspended.
    if (startedMs - lastRenewedMs > LEASE_MS) unbrokenSinceMs = null;
    try {
      const { isOurs, hadRunOut } = await renewLease(db, current.processId, current.epoch);
      if (left) return;
      noteTime();
      // The database's clock was changed: other processes need time to renew by it, too.
      if (hadRunOut || told === "doubted") unbrokenSinceMs = null;
      if (!isOurs) await startNewEpoch();
      lastRenewedMs = startedMs;
      unbrokenSinceMs ??= startedMs;
    } catch (error) {
      unbrokenSinceMs = null;
      log.warn("lease_renewal_failed", { error: String(error) });
    }
  }

  function noteTime(): void {
    const { isDoubted, unusedSince } = db.time;
    const was = told;
    told = unusedSince !== null ? "unused" : isDoubted ? "doubted" : "believed";
    if (told === was) return;
    if (unusedSince !== null)
      log.info("database_not_used", { since: unusedSince.toISOString(), advice: UNUSED });
    else if (isDoubted) log.error("database_clock_doubted", { error: DOUBTED });
    else log.info("database_clock_believed");
  }

  async function startNewEpoch(): Promise<void> {
    log.error("lease_lost", { process_id: current.processId, epoch: current.epoch, error: LOST });
    unbrokenSinceMs = null;
    input.onLost();
    current = { processId: self.id, epoch: await acquireLease(db, self) };
    log.info("lease_regained", { process_id: current.processId, epoch: current.epoch });
  }

  return {
    get current() {
      return current;
    },
    maySweep: () =>
      unbrokenSinceMs !== null &&
      clock.elapsedMs() - unbrokenSinceMs >= LEASE_MS &&
      clock.elapsedMs() - lastRenewedMs <= LEASE_MS,
    doubt() {
      unbrokenSinceMs = null;
    },
    renew,
    async leave() {
      left = true;
      await leaveLease(db, current.processId, current.epoch);
    },
  };
}
