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
    {
      name: "sweep_holds",
      lockId: LOCK_IDS.sweep_holds,
      everyMs: 2 * SECOND_MS,
      run: () => discard(sweepHolds({ db, log, lease })),
    },
    {
      name: "expire_periods",
      lockId: LOCK_IDS.expire_periods,
      everyMs: MINUTE_MS,
      run: () => discard(expirePeriods(db)),
    },
    { name: "renew_plans", lockId: LOCK_IDS.renew_plans, everyMs: MINUTE_MS, run: () => renewPlans(billing) },
    // Two months early, and often: each run gives way at once to whoever reads the table for long.
    {
      name: "make_partitions",
      lockId: LOCK_IDS.make_partitions,
      everyMs: 10 * MINUTE_MS,
      run: () => discard(makePartitions(db)),
    },
    {
      name: "forget_replies",
      lockId: LOCK_IDS.forget_replies,
      everyMs: 10 * MINUTE_MS,
      run: () => discard(forgetOldReplies(db)),
    },
    {
      name: "exchange_token_corrections",
      lockId: LOCK_IDS.exchange_token_corrections,
      everyMs: MINUTE_MS,
      run: () => corrections.exchange(),
    },
    {
      name: "forget_video_jobs",
      lockId: LOCK_IDS.forget_video_jobs,
      everyMs: HOUR_MS,
      run: () => discard(forgetOldVideoJobs(db)),
    },
  ];
}

/** What is owed to payers. Letters wait for nobody: each is a task of its own. */
export function payerTasks(input: { payments: Payments; notices: Notices | null }): ScheduledTask[] {
  const { payments, notices } = input;
  return [
    {
      name: "tell_payers",
      lockId: LOCK_IDS.tell_payers,
      everyMs: 10 * MINUTE_MS,
      run: async () => notices?.tellDue(),
    },
    {
      name: "end_replaced_subscriptions",
      lockId: LOCK_IDS.end_replaced_subscriptions,
      everyMs: 10 * MINUTE_MS,
      run: () => payments.endReplaced(),
    },
    {
      name: "end_inactive_subscriptions",
      lockId: LOCK_IDS.end_inactive_subscriptions,
      everyMs: MINUTE_MS,
      run: () => payments.endInactive(null),
    },
  ];
}

/** Checks that may take long; for workers, so that nodes that serve are left alone. */
export function auditTask(input: { db: Database; log: Log; metrics: Metrics }): ScheduledTask {
  const faults = input.metrics.gauge(
    "bursar_ledger_faults",
    "Faults that the last audit of the ledger found.",
    { isShared: true },
  );
  return {
    name: "audit_ledger",
    lockId: LOCK_IDS.audit_ledger,
    // It looks at what is new, so often costs little; a gateway that is started anew every night is audited all the same.
    everyMs: HOUR_MS,
    // It reads every account all the same, and the first of a database every entry: a start has enough to bear.
    firstAfterMs: 10 * MINUTE_MS,
    async run() {
      const report = await verifyLedger(input.db, { sinceCheckpoint: true });
      faults.set(report.faults.length);
      for (const fault of report.faults) input.log.error("ledger_fault", { ...fault });
      input.log.info("ledger_audited", { organizations: report.organizations, entries: report.entries });
    },
  };
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

async function discard(work: Promise<unknown>): Promise<void> {
  await work;
}
