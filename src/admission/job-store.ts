import type { Database } from "../db/index.ts";
import { assert, present } from "../kit/index.ts";
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

/** What is kept of a submission is short. */
type JobAnswer = AdmitRow & { readonly reply: string | null };

type JobQuestion = { readonly epoch: Epoch; readonly call: AdmissionCall; readonly job: NewJob };

/** Hold and job row in one transaction. The same job again finds its own row. */
export async function admitJob(db: Database, question: JobQuestion): Promise<Admission> {
  return present(await ask(db, "ledger_admit_job", question), "the answer to a job");
}

/** As `admitJob`, where that refuses; null, and nothing is written, where it would admit the job. */
export async function refuseJob(db: Database, question: JobQuestion): Promise<JobRefusal | null> {
  const refusal = await ask(db, "ledger_refuse_job", question);
  assert(refusal?.outcome !== "admitted", "what was only tried is undone");
  return refusal;
}

/** One statement each: a transaction over several of them keeps the account locked while the link to us stalls. */
async function ask(
  db: Database,
  name: "ledger_admit_job" | "ledger_refuse_job",
  { epoch, call, job }: JobQuestion,
): Promise<Admission | null> {
  const result = await db.pool.query<JobAnswer>({
    name,
    text: `select * from ${name}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
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
  const [row] = result.rows;
  if (row === undefined) return null;
  const decision = decisionFromRow(row);
  return decision.outcome === "replay" ? { ...decision, reply: row.reply } : decision;
}
