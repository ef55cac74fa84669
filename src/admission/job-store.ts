import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";
import type { Epoch } from "../ledger/index.ts";
import type { Admission, AdmissionCall, Admitted } from "./call.ts";
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

export type JobRefusal = Exclude<Admission, Admitted>;

/** The pool, or the connection of a transaction. */
type Asked = Pick<Database["pool"], "query">;

/** What is kept of a submission is short. */
type JobAnswer = AdmitRow & { readonly reply: string | null };

const ADMIT_JOB =
  "select * from ledger_admit_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";

type JobQuestion = { readonly epoch: Epoch; readonly call: AdmissionCall; readonly job: NewJob };

/** Hold and job row in one transaction. The same job again finds its own row. */
export function admitJob(db: Database, question: JobQuestion): Promise<Admission> {
  return askFor(db.pool, question);
}

/** Thrown to undo what was only tried. */
const MAY_START = new Error("the job may start");

/** As `admitJob`, where that refuses; null, and nothing is written, where it would admit the job. */
export async function refuseJob(db: Database, question: JobQuestion): Promise<JobRefusal | null> {
  try {
    return await db.transaction(async (client) => {
      const admission = await askFor(client, question);
      if (admission.outcome === "admitted") throw MAY_START;
      return admission;
    });
  } catch (error) {
    if (error === MAY_START) return null;
    throw error;
  }
}

async function askFor(asked: Asked, { epoch, call, job }: JobQuestion): Promise<Admission> {
  const result = await asked.query<JobAnswer>({
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
