import type { Library } from "../assets/index.ts";
import type { Billing, Notices, Payments } from "../billing/index.ts";
import type { Database } from "../db/index.ts";
import type { TokenCorrections } from "../generation/index.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/index.ts";
import {
  expirePeriods,
  forgetOldReplies,
  type LeaseKeeper,
  makePartitions,
  sweepHolds,
  verifyLedger,
} from "../ledger/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { LOCK_IDS } from "./lock-ids.ts";
import type { ScheduledTask } from "./schedule.ts";
import { forgetVideoJobs } from "./video-store.ts";

/** What keeps the ledger right; runs on every node, whatever its role. */
export function maintenanceTasks(input: {
  db: Database;
  log: Log;
  lease: LeaseKeeper;
  billing: Billing;
  corrections: TokenCorrections;
}): ScheduledTask[] {
  const { db, log, lease, billing, corrections } = input;
  return [
    taskOf("sweep_holds", 2 * SECOND_MS, () => sweepHolds({ db, log, lease })),
    taskOf("expire_periods", MINUTE_MS, () => expirePeriods(db)),
    taskOf("renew_plans", MINUTE_MS, () => renewPlans(billing)),
    // Two months early, and often: each run gives way at once to whoever reads the table for long.
    taskOf("make_partitions", 10 * MINUTE_MS, () => makePartitions(db)),
    taskOf("forget_replies", 10 * MINUTE_MS, () => forgetOldReplies(db)),
    taskOf("exchange_token_corrections", MINUTE_MS, () => corrections.exchange()),
    taskOf("forget_video_jobs", HOUR_MS, () => forgetOldVideoJobs(db)),
  ];
}

/** Removes what let people in until it expired. */
export function forgetExpiredTask(identity: { forgetExpired(): Promise<void> }): ScheduledTask {
  return taskOf("forget_expired", HOUR_MS, () => identity.forgetExpired());
}

/** Removes objects that nobody published in time, and what a deletion could not remove at once. */
export function sweepObjectsTask(library: Pick<Library, "sweep">): ScheduledTask {
  return taskOf("sweep_objects", 5 * MINUTE_MS, () => library.sweep());
}

/** What is owed to payers. Letters wait for nobody: each is a task of its own. */
export function payerTasks(input: { payments: Payments; notices: Notices | null }): ScheduledTask[] {
  const { payments, notices } = input;
  return [
    taskOf("tell_payers", 10 * MINUTE_MS, async () => notices?.tellDue()),
    taskOf("end_replaced_subscriptions", 10 * MINUTE_MS, () => payments.endReplaced()),
    taskOf("end_inactive_subscriptions", MINUTE_MS, () => payments.endInactive(null)),
  ];
}

/** Checks that may take long; for workers, so that nodes that serve are left alone. */
export function auditTask(input: { db: Database; log: Log; metrics: Metrics }): ScheduledTask {
  const faults = input.metrics.gauge(
    "bursar_ledger_faults",
    "Faults that the last audit of the ledger found.",
    { isShared: true },
  );
  async function run(): Promise<void> {
    const report = await verifyLedger(input.db, { sinceCheckpoint: true });
    faults.set(report.faults.length);
    for (const fault of report.faults) input.log.error("ledger_fault", { ...fault });
    input.log.info("ledger_audited", { organizations: report.organizations, entries: report.entries });
  }
  return {
    // It looks at what is new, so often costs little; a gateway that is started anew every night is audited all the same.
    ...taskOf("audit_ledger", HOUR_MS, run),
    // It reads every account all the same, and the first of a database every entry: a start has enough to bear.
    firstAfterMs: 10 * MINUTE_MS,
  };
}

/** Under the lock that has its name. */
function taskOf(name: keyof typeof LOCK_IDS, everyMs: number, run: ScheduledTask["run"]): ScheduledTask {
  return { name, lockId: LOCK_IDS[name], everyMs, run };
}

/** As far back as the usage view goes: whoever sees a request there can still ask for its job. */
const KEEP_VIDEO_JOBS_DAYS = 90;
const BATCH = 500;
/** Rounds of one run at most; the next run goes on. */
const MAX_ROUNDS = 20;

async function forgetOldVideoJobs(db: Database): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const forgotten = await forgetVideoJobs(db, { keepDays: KEEP_VIDEO_JOBS_DAYS, limit: BATCH });
    if (forgotten < BATCH) return;
  }
}

/** One organization's failure delays no other, so it is told when all are done: alarms watch failed runs. */
async function renewPlans(billing: Billing): Promise<void> {
  const { failed } = await billing.renewDue();
  if (failed > 0) throw new Error(`${failed} plans could not be renewed`);
}
