import type { Billing } from "../../billing/index.ts";
import type { Database } from "../../db/index.ts";
import { createCacheMarks, createTokenCorrections } from "../../generation/index.ts";
import { atMost, type Clock } from "../../kit/index.ts";
import { makePartitions } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { createCacheHabitStore, createTokenSumStore } from "../../usage/index.ts";

/** Time for renewing plans that are due at the start: half of that in which a killed process must serve again. */
const FIRST_RENEWALS_MS = 1_000;

/** Work that the schedule does too, but only after a client might have missed it. Only tests set `renewalsMs`. */
export async function prepareFirstCall(input: {
  db: Database;
  billing: Pick<Billing, "renewDue">;
  log: Log;
  renewalsMs?: number;
}): Promise<void> {
  const { db, billing, log, renewalsMs = FIRST_RENEWALS_MS } = input;
  // Before the first request row: rows that land in the default partition stay there, and are served from there.
  await doIfPossible(makePartitions(db), log, "partitions_not_made");
  // Otherwise an organization whose month ended while nothing served would be refused until the schedule's first run.
  await doIfPossible(renewFirst(), log, "plans_not_renewed");

  async function renewFirst(): Promise<void> {
    // The wait is bounded, however many there are: renewals continue while it serves, and the schedule does the rest.
    const areAllRenewed = await atMost(billing.renewDue(), renewalsMs);
    if (!areAllRenewed) log.warn("plans_not_renewed_yet", { waited_ms: renewalsMs });
  }
}

/** What calls have taught all nodes. If it cannot be read, the node starts without it. */
export async function openLearned({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  const corrections = createTokenCorrections(createTokenSumStore(db));
  await doIfPossible(corrections.exchange(), log, "token_corrections_not_read");
  const marks = createCacheMarks({ store: createCacheHabitStore(db), clock });
  await doIfPossible(marks.exchange(), log, "cache_habits_not_read");
  return { corrections, marks };
}

/** The schedule retries this work soon, so its failure does not stop the start. */
export async function doIfPossible(work: Promise<unknown>, log: Log, failureEvent: string): Promise<void> {
  await work.catch((error: unknown) => log.warn(failureEvent, { error: String(error) }));
}
