import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";
import type { Epoch } from "../ledger/index.ts";
import type { Admission, AdmissionCall } from "./call.ts";
import { type AdmitRow, decisionFromRow } from "./store.ts";

/** What the row of a job says beside its call. */
export type NewJob = {
  /** What is to be made, as JSON. */
  readonly order: string;
  /** What a repeat of the submission is answered. */
  readonly reply: string;
  readonly priceRuleId: string;
  readonly deadlineMs: number;
};

/** What is kept of a submission is short. */
type JobAnswer = AdmitRow & { readonly reply: string | null };

const ADMIT_JOB =
  "select * from ledger_admit_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";

/** Hold and job row in one transaction. The same job again finds its own row. */
export async function admitJob(input: {
  db: Database;
  epoch: Epoch;
  call: AdmissionCall;
  job: NewJob;
}): Promise<Admission> {
  const { db, epoch, call, job } = input;
  const result = await db.pool.query<JobAnswer>({
    name: "ledger_admit_job",
    text: ADMIT_JOB,
    values: [
      epoch.processId,
      epoch.epoch,
      call.orgId,
      call.requestId,
      call.keyId,
      call.memberUserId,
      call.endpoint,
      call.model,
      call.full,
      call.requestsPerMinute,
      call.inFlight,
      call.keyRequestsPerMinute,
      call.holdTtlMs,
      call.idempotency?.key ?? null,
      call.idempotency?.fingerprint ?? null,
      job.deadlineMs,
      job.priceRuleId,
      job.order,
      job.reply,
    ],
  });
  const row = present(result.rows[0], "the answer to a job");
  const decision = decisionFromRow(row);
  return decision.outcome === "replay" ? { ...decision, reply: row.reply } : decision;
}
