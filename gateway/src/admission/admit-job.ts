import { type Database, isRefusedStatement } from "../db/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import type { LeaseKeeper } from "../ledger/index.ts";
import type { Admission, AdmissionCall } from "./call.ts";
import { admitJob, type JobRefusal, type NewJob, refuseJob } from "./job-store.ts";

export type JobAdmitter = {
  /** Like `admit` for a call, and also writes the job's row. Safe to repeat if the reply was lost. */
  admit(call: AdmissionCall, job: NewJob): Promise<Admission>;
  /**
   * Checks, before anything is prepared for the job, whether `admit` would refuse it; on a refusal the caller skips
   * `admit`. Null if the job may start; nothing is held yet.
   */
  refuse(call: AdmissionCall, job: NewJob): Promise<JobRefusal | null>;
  /** True if this error of `admit` proves that the attempt left neither hold nor row; otherwise they may exist. */
  isUndone(error: unknown): boolean;
};

/** Jobs are few, so each gets its own transaction. */
export function createJobAdmitter({ db, lease }: { db: Database; lease: LeaseKeeper }): JobAdmitter {
  return {
    async admit(call, job) {
      assert(call.kind === "job" && call.minimum === call.full, "a job holds all that it may cost");
      await failpoint("before_hold");
      const admission = await admitJob(db, { epoch: lease.current, call, job });
      await failpoint("after_hold_sql");
      return admission;
    },
    // Only a hint: if the database cannot answer, the admission that follows reports why.
    refuse: (call, job) => refuseJob(db, { epoch: lease.current, call, job }).catch(() => null),
    isUndone: isRefusedStatement,
  };
}
