/**
 * May this call start now?
 * Owns the order of refusals (replay, running, conflict, rate, in flight, credits) and the bounds of the queue in front
 * of the database.
 * Refuses to know prices, providers and wires.
 * Invariants: no call runs without a hold; a refused call leaves neither a hold nor a record of itself.
 */
export { type Admitter, createAdmitter } from "./admit.ts";
export { createJobAdmitter, type JobAdmitter } from "./admit-job.ts";
export type { Admission, AdmissionCall } from "./call.ts";
export type { NewJob } from "./job-store.ts";
export { createReadLimiter, type ReadLimiter } from "./read-limit.ts";
export { ADMIT_LANE } from "./store.ts";
