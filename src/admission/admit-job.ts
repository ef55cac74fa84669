import { type Database, isRefusedStatement } from "../db/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import type { LeaseKeeper } from "../ledger/index.ts";
import type { Admission, AdmissionCall } from "./call.ts";
import { admitJob, type JobRefusal, type NewJob, refuseJob } from "./job-store.ts";

export type JobAdmitter = {
  /** As `admit` of a call, and the job's row with it. Safe to repeat when the answer was lost. */
  admit(call: AdmissionCall, job: NewJob): Promise<Admission>;
  /**
   * Refuses the job as `admit` would, so that nothing need be made ready for it: once it has, `admit` is not asked. Null: it
   * may start as it stands, and nothing is held.
   */
  refuse(call: AdmissionCall, job: NewJob): Promise<JobRefusal | null>;
  /** Whether what `admit` failed with says that this try left no hold and no row; else they may be there. */
  isUndone(error: unknown): boolean;
};

/** Jobs are few, so each has a transaction of its own. */
export function createJobAdmitter({ db, lease }: { db: Database; lease: LeaseKeeper }): JobAdmitter {
  return {
    async admit(call, job) {
      assert(call.kind === "job" && call.minimum === call.full, "a job holds all that it may cost");
      await failpoint("before_hold");
      const admission = await admitJob(db, { epoch: lease.current, call, job });
      await failpoint("after_hold_sql");
      return admission;
    },
    // Only a hint: whatever keeps the database from answering is told by the admission that follows.
    refuse: (call, job) => refuseJob(db, { epoch: lease.current, call, job }).catch(() => null),
    isUndone: isRefusedStatement,
  };
}
