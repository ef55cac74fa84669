import type { Billing } from "../billing/index.ts";
import type { Database } from "../db/index.ts";
import { atMost } from "../kit/index.ts";
import { makePartitions } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/** For plans that are due at a start: half of the time in which a process that was killed is to serve again. */
const FIRST_RENEWALS_MS = 1_000;

/** What the schedule does too, but not before somebody would miss it. */
export async function prepareFirstCall(input: {
  db: Database;
  billing: Pick<Billing, "renewDue">;
  log: Log;
  /** For tests. */
  renewalsMs?: number;
}): Promise<void> {
  const { db, billing, log, renewalsMs = FIRST_RENEWALS_MS } = input;
  // Before the first request row: a month that strayed into the default partition stays there, and is served from there.
  await doIfPossible(makePartitions(db), log, "partitions_not_made");
  // A month that ended while nobody served would refuse calls until the schedule's first run.
  await doIfPossible(renewFirst(), log, "plans_not_renewed");

  async function renewFirst(): Promise<void> {
    // However many there are: they are renewed while it serves, and what is left at its end is the schedule's.
    const areAllRenewed = await atMost(billing.renewDue(), renewalsMs);
    if (!areAllRenewed) log.warn("plans_not_renewed_yet", { waited_ms: renewalsMs });
  }
}

/** What the schedule does again soon is nothing to keep a start from. */
export async function doIfPossible(work: Promise<unknown>, log: Log, failureEvent: string): Promise<void> {
  await work.catch((error: unknown) => log.warn(failureEvent, { error: String(error) }));
}
