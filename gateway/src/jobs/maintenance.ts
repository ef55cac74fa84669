import type { Library } from "../assets/index.ts";
import { type Billing, type NoticeThresholds, type Payments, saveBalanceEvents } from "../billing/index.ts";
import type { Database } from "../db/index.ts";
import type { CacheMarks, TokenCorrections } from "../generation/index.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/index.ts";
import {
  expirePeriods,
  forgetOldReplies,
  type LeaseKeeper,
  makePartitions,
  sweepHolds,
  verifyLedger,
} from "../ledger/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { LOCK_IDS } from "./lock-ids.ts";
import type { ScheduledTask } from "./schedule.ts";
import { forgetVideoJobs, recallVideoJobs } from "./video-store.ts";

/** Tasks that keep what is stored correct and small; run on every node, whatever its role. */
export function maintenanceTasks(input: {
  db: Database;
  log: Log;
  lease: LeaseKeeper;
  billing: Billing;
  corrections: TokenCorrections;
  marks: CacheMarks;
  library: Pick<Library, "sweep">;
  identity: { forgetExpired(): Promise<void> };
  refusals: { forgetOld(): Promise<void> };
  outbox: Pick<Outbox, "forgetOld">;
  /** Whether the nodes that serve have the same settings; each node does it for itself. */
  nodes: { compare(): Promise<void> };
}): ScheduledTask[] {
  const { db, log, lease, billing, corrections, marks } = input;
  return [
    taskOf("sweep_holds", 2 * SECOND_MS, () => sweepHolds({ db, log, lease })),
    taskOf("expire_periods", MINUTE_MS, () => expirePeriods(db)),
    taskOf("renew_plans", MINUTE_MS, () => renewPlans(billing)),
    // Two months ahead, and often: each run yields at once to anything that reads the table for long.
    taskOf("make_partitions", 10 * MINUTE_MS, () => makePartitions(db)),
    taskOf("forget_replies", 10 * MINUTE_MS, () => forgetOldReplies(db)),
    taskOf("exchange_token_corrections", MINUTE_MS, () => corrections.exchange()),
    taskOf("exchange_cache_habits", MINUTE_MS, () => marks.exchange()),
    taskOf("forget_video_jobs", 10 * MINUTE_MS, () => recallAndForgetVideoJobs(db)),
    // Objects that were not published in time, and those that a deletion could not remove at once.
    taskOf("sweep_objects", 5 * MINUTE_MS, () => input.library.sweep()),
    // Sessions, invitations and one-time links that expired more than a day ago.
    taskOf("forget_expired", HOUR_MS, () => input.identity.forgetExpired()),
    // Counts of refused calls that no report shows any more.
    taskOf("forget_refusals", HOUR_MS, () => input.refusals.forgetOld()),
    taskOf("forget_events", HOUR_MS, () => input.outbox.forgetOld()),
    taskOf("compare_nodes", MINUTE_MS, () => input.nodes.compare()),
  ];
}

/** Tasks for paying customers. Separate, so that events of balances do not wait for Stripe. */
export function payerTasks(input: {
  db: Database;
  payments: Payments;
  thresholds: NoticeThresholds;
}): ScheduledTask[] {
  const { db, payments } = input;
  return [
    taskOf("tell_payers", MINUTE_MS, () => saveBalanceEvents(db, input.thresholds)),
    taskOf("end_replaced_subscriptions", 10 * MINUTE_MS, () => payments.endReplaced()),
    taskOf("end_inactive_subscriptions", MINUTE_MS, () => payments.endInactive(null)),
  ];
}

/** A check that may take long; runs on workers, so that serving nodes are not slowed down. */
export function auditTask(input: {
  db: Database;
  log: Log;
  metrics: Metrics;
  outbox: Pick<Outbox, "note">;
}): ScheduledTask {
  const faults = input.metrics.gauge(
    "bursar_ledger_faults",
    "Faults found by the last audit of the ledger.",
    { isShared: true },
  );
  async function run(): Promise<void> {
    const report = await verifyLedger(input.db, { sinceCheckpoint: true });
    faults.set(report.faults.length);
    for (const fault of report.faults) input.log.error("ledger_fault", { ...fault });
    if (report.faults.length > 0) await input.outbox.note("ledger.unsound", { faults: report.faults.length });
    input.log.info("ledger_audited", { organizations: report.organizations, entries: report.entries });
  }
  return {
    // Frequent runs cost little, since only new entries are checked. They also cover a gateway that is restarted every
    // night.
    ...taskOf("audit_ledger", HOUR_MS, run),
    // Every run reads all accounts, and the first on a database reads all entries: too much for the busy time after a
    // start.
    firstAfterMs: 10 * MINUTE_MS,
  };
}

function taskOf(name: keyof typeof LOCK_IDS, everyMs: number, run: ScheduledTask["run"]): ScheduledTask {
  return { name, lockId: LOCK_IDS[name], everyMs, run };
}

/** As long as the usage view goes back: a request that is listed there can still be polled. */
const KEEP_VIDEO_JOBS_DAYS = 90;
const BATCH = 500;
/** Most rounds per run; the next run continues. */
const MAX_ROUNDS = 20;

async function recallAndForgetVideoJobs(db: Database): Promise<void> {
  await recallVideoJobs(db);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const forgotten = await forgetVideoJobs(db, { keepDays: KEEP_VIDEO_JOBS_DAYS, limit: BATCH });
    if (forgotten < BATCH) return;
  }
}

/**
 * A failure of one organization does not delay the others, so it is thrown once all are done: alarms watch failed runs.
 */
async function renewPlans(billing: Billing): Promise<void> {
  const { failed } = await billing.renewDue();
  if (failed > 0) throw new Error(`${failed} plans could not be renewed`);
}
