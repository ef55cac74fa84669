import type { Credits, RateState } from "../kit/index.ts";
import type { CallIdentity } from "../ledger/index.ts";

/** A call that wants to start: what it needs at least, what it would like, and its limits. */
export type AdmissionCall = CallIdentity & {
  /** `call` ends with its process's lease; `job` ends only with its last transition. */
  readonly kind: "call" | "job";
  readonly minimum: Credits;
  readonly full: Credits;
  /** The organization's plan. */
  readonly requestsPerMinute: number;
  readonly inFlight: number;
  /** The key's own, lower limits; null where it has none. */
  readonly keyRequestsPerMinute: number | null;
  readonly keyInFlight: number | null;
  /** Hard end of the hold: the call's deadline and a minute. */
  readonly holdTtlMs: number;
  readonly idempotency: { readonly key: string; readonly fingerprint: Uint8Array } | null;
};

export type Admitted = {
  readonly outcome: "admitted";
  readonly granted: Credits;
  readonly rate: RateState;
};

/** A repeat says where its caller stands too, and does not count in the rate window. */
type Replay = {
  readonly outcome: "replay";
  readonly requestId: string;
  /** Null: the reply could not be kept. */
  readonly reply: string | null;
  readonly charged: Credits;
  readonly subscriptionAfter: Credits;
  readonly anytimeAfter: Credits;
  readonly rate: RateState;
};

/** Why a call may not start, or need not: closed, in the order in which it is decided. */
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

/** What the ledger decides together with others: a kept reply is read afterwards. */
export type Decision = Exclude<Admission, Replay> | Omit<Replay, "reply">;
