import type { Credits, RateState } from "../kit/index.ts";
import type { CallIdentity } from "../ledger/index.ts";

/** A call that wants to start: the least it must hold, the most it would like to hold, and its limits. */
export type AdmissionCall = CallIdentity & {
  /** The hold of a `call` ends at the latest with its process's lease; that of a `job` only when the job ends. */
  readonly kind: "call" | "job";
  readonly minimum: Credits;
  readonly full: Credits;
  /** True if it leaves most of a small balance to other calls: its caller set no limit. */
  readonly sharesBalance: boolean;
  /** Limits of the organization's plan. */
  readonly requestsPerMinute: number;
  readonly inFlight: number;
  /** The key's own limits, which apply in addition; null if it has none. */
  readonly keyRequestsPerMinute: number | null;
  readonly keyInFlight: number | null;
  /** After this time the hold may be released: the call's deadline plus a minute. */
  readonly holdTtlMs: number;
  readonly idempotency: { readonly key: string; readonly fingerprint: Uint8Array } | null;
};

export type Admitted = {
  readonly outcome: "admitted";
  readonly granted: Credits;
  readonly rate: RateState;
};

/** A replay also reports the rate state, but does not count towards the rate. */
type Replay = {
  readonly outcome: "replay";
  readonly requestId: string;
  /** Null if the reply could not be stored. */
  readonly reply: string | null;
  readonly charged: Credits;
  readonly subscriptionAfter: Credits;
  readonly anytimeAfter: Credits;
  readonly rate: RateState;
};

/**
 * Whether a call may start and, if not, why. Checked in this order: lease, idempotency, rate, calls in flight, credits.
 */
export type Admission =
  | Replay
  | { readonly outcome: "running" | "conflict"; readonly requestId: string; readonly rate: RateState }
  | { readonly outcome: "rate_limited"; readonly rate: RateState }
  | { readonly outcome: "too_many_in_flight"; readonly rate: RateState }
  | {
      readonly outcome: "insufficient";
      readonly available: Credits;
      readonly held: Credits;
      readonly rate: RateState;
    }
  | { readonly outcome: "lease_lost" }
  | Admitted;

/** The outcome as decided in the batch; a stored reply is read afterwards. */
export type Decision = Exclude<Admission, Replay> | Omit<Replay, "reply">;
