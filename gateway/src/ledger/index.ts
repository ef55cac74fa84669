/**
 * The truth about credits: accounts, holds, entries, grants, leases.
 * Owns the only writers of credits (SQL functions in `gateway/sql/functions`) and their batching.
 * Refuses to know prices, providers and wires: it is given a cost and a status.
 *
 * Invariants:
 * - Per organization and pool: grants − charges − expiries ± adjustments = available + held.
 * - Nothing is negative.
 * - A hold ends exactly once.
 * - Entries are only ever appended, in a hash chain.
 */
export type { Account, Pool } from "./account.ts";
export { type AuditReport, verifyLedger } from "./audit/audit.ts";
export { groupByOrganization, inArrivalOrder, inGroupedOrder } from "./by-organization.ts";
export { LANES_OF_CALLS } from "./lanes.ts";
export { createLeaseKeeper, type Epoch, type LeaseKeeper } from "./lease/lease.ts";
export { isProvenByAny, proveLease } from "./lease/lease-proof.ts";
export { lookAtTime } from "./lease/lease-store.ts";
export { findDifferences } from "./lease/node-differences.ts";
export { type NodeMarks, nodeMarks } from "./lease/node-marks.ts";
export { createLedger, type Ledger, type SettleTicket } from "./ledger.ts";
export { makePartitions } from "./partition-store.ts";
export type { CallIdentity, Settled, Settlement } from "./settlement.ts";
export type { Grant, GrantOutcome } from "./store.ts";
export { hasServed } from "./store.ts";
export { expirePeriods, forgetOldReplies, sweepHolds } from "./sweeper.ts";
export { loadWrongExpiries, undoExpiries } from "./undo-expiry-store.ts";
