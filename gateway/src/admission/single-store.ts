import { type Database, numberFields } from "../db/index.ts";
import { assert, creditsFromSql } from "../kit/index.ts";
import type { Epoch } from "../ledger/index.ts";
import type { AdmissionCall, Admitted } from "./call.ts";
import { ADMIT_LANE, rateOf } from "./store.ts";

const ADMIT_ONE =
  "select ledger_admit_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) as answer";

/** True if `ledger_admit_one` can decide the call: not a job, no limits of its key and no idempotency key. */
export function isPlain(call: AdmissionCall): boolean {
  return (
    call.kind === "call" &&
    call.idempotency === null &&
    call.keyRequestsPerMinute === null &&
    call.keyInFlight === null
  );
}

/**
 * Admits a plain call; null if it cannot simply be admitted, and then nothing was written. Large numbers are passed as
 * text: with their own types the driver would prepare the statement again for every combination of types.
 */
export async function admitOne(db: Database, epoch: Epoch, call: AdmissionCall): Promise<Admitted | null> {
  assert(isPlain(call), "a plain call");
  const rows = await db
    .lane(ADMIT_LANE)
    .query<{ answer: string }>(ADMIT_ONE, [
      epoch.processId,
      epoch.epoch,
      call.orgId,
      call.requestId,
      call.keyId,
      call.memberUserId,
      call.endpoint,
      call.model,
      String(call.minimum),
      String(call.full),
      call.requestsPerMinute,
      call.inFlight,
      String(call.holdTtlMs),
      call.sharesBalance,
    ]);
  const [granted = "", rateLeft, resetMs] = numberFields(rows[0]?.answer ?? "");
  if (granted === "") return null;
  const rate = rateOf(call.requestsPerMinute, rateLeft, resetMs);
  return { outcome: "admitted", granted: creditsFromSql(granted), rate };
}
