import type { Billing } from "../billing/index.ts";
import type { Database } from "../db/index.ts";
import { atMost } from "../kit/index.ts";
import { makePartitions } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/** For plans that are due at a start; however many there are, it waits no longer. */
const FIRST_RENEWALS_MS = 5_000;

/** What the schedule does too, but not before somebody would miss it. */
export async function prepareFirstCall(input: { db: Database; billing: Billing; log: Log }): Promise<void> {
  const { db, billing, log } = input;
  // Before the first request row: a month that strayed into the default partition stays there, and is served from there.
  await doIfPossible(makePartitions(db), log, "partitions_not_made");
  // A month that ended while nobody served would refuse calls until the schedule's first run.
  await doIfPossible(atMost(billing.renewDue(), FIRST_RENEWALS_MS), log, "plans_not_renewed");
}

/** What the schedule does again soon is nothing to keep a start from. */
export async function doIfPossible(work: Promise<unknown>, log: Log, failureEvent: string): Promise<void> {
  await work.catch((error: unknown) => log.warn(failureEvent, { error: String(error) }));
}
