import type { Database } from "../db/index.ts";
import { assert, present } from "../kit/index.ts";
import type { Epoch } from "../ledger/index.ts";
import type { Admission, AdmissionCall, Admitted } from "./call.ts";
import { DECISION, decisionFromAnswer } from "./store.ts";

/** The fields of a job's row that its call does not have. */
export type NewJob = {
  /** What to make, as JSON. */
  readonly order: string;
  /** The reply to a repeat of the submission. */
  readonly reply: string;
  readonly priceRuleId: string;
  readonly deadlineMs: number;
};

export type JobRefusal = Exclude<Admission, Admitted>;

type JobQuestion = { readonly epoch: Epoch; readonly call: AdmissionCall; readonly job: NewJob };

/** Writes the hold and the job's row in one transaction. A repeat of the same job finds its own row. */
export async function admitJob(db: Database, question: JobQuestion): Promise<Admission> {
  return present(await ask(db, "ledger_admit_job", question), "the answer to a job");
}

/** The refusal that `admitJob` would return; null if it would admit the job. Writes nothing in that case. */
export async function refuseJob(db: Database, question: JobQuestion): Promise<JobRefusal | null> {
  const refusal = await ask(db, "ledger_refuse_job", question);
  assert(refusal?.outcome !== "admitted", "what was only tried is undone");
  return refusal;
}

/** A single statement: a transaction of several would keep the account locked while the connection to us stalls. */
async function ask(
  db: Database,
  name: "ledger_admit_job" | "ledger_refuse_job",
  { epoch, call, job }: JobQuestion,
): Promise<Admission | null> {
  const result = await db.pool.query<{ answer: string; reply: string | null }>({
    name,
    // Unlike a call's, the stored reply of a submission is short enough to be returned with the answer.
    text: `select ${DECISION}, reply from ${name}(expecting($20, $1)::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
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
      db.time.text(),
    ],
  });
  const [row] = result.rows;
  if (row === undefined) return null;
  const decision = decisionFromAnswer(row);
  return decision.outcome === "replay" ? { ...decision, reply: row.reply } : decision;
}
