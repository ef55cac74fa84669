import type { FailureReason } from "../kit/index.ts";

/** The closed set of provider failures; paid-call maps each to an outcome. */
export type ProviderFailureKind =
  | "rejected" // the provider says that the request is at fault: our 400
  | "context_overflow" // a rejection with its own code on the compatible interface
  | "unauthorized" // our credentials are refused: our 502
  | "rate_limited" // next target, then 503
  | "unavailable" // 5xx, resets, bad bodies: next target, then 502
  | "timeout"; // next target, then 504

export type ProviderFailureDetail = {
  readonly internal?: string;
  /** HTTP status of the provider's response, for the log. */
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** The caller asked for this failure with a sandbox directive, so circuit breakers must not count it. */
  readonly scripted?: boolean;
  /**
   * Overrides what the kind says about the target's health. `up`: it responded correctly, although the answer is
   * unusable (see outbound/breaker.ts). `unknown`: the fault is ours.
   */
  readonly targetHealth?: "up" | "unknown";
  /** It was not asked: its circuit is open. */
  readonly isPassedOver?: true;
  /** No connection could be made, which no request can cause. */
  readonly isUnconnected?: true;
  /** For the request log, where the kind says too little. */
  readonly reason?: FailureReason;
  /** A proxy responded after its connection to the provider broke; the call may have reached the provider. */
  readonly isBrokenBehind?: true;
  /** Our account with the provider is out of credit or at its spending limit; only the operator can fix it. */
  readonly isUnpaid?: true;
  /** The answer exceeds our size limit: the provider did not fail, we stopped reading. */
  readonly isExcess?: true;
  /**
   * It refused or stopped because of the content, by a code or a finish reason of its vendor's closed list: what was
   * delivered before is charged.
   */
  readonly isContent?: true;
  /** Set if rejected before any request was sent: the caller's field that this target does not take; another may. */
  readonly field?: string;
  /** Set on a rejection that all targets would share: the caller's field that a provider named or nobody can read. */
  readonly param?: string;
  /** Set on a rejection: the provider's own code, one that clients of OpenAI's wire know (`passed-codes.ts`). */
  readonly code?: string;
};

export class ProviderFailure extends Error {
  override name = "ProviderFailure";
  /** Which target failed, for the log. Set by the code that chose the target; adapters do not know it. */
  target?: string;
  /** Part of the answer had already arrived, so no other target is tried. */
  hasBegun?: true;
  /** The same target failed twice in a row. */
  isRepeated?: true;
  constructor(
    readonly kind: ProviderFailureKind,
    /** Contains no keys, hosts or ids; at most 300 characters. */
    readonly publicMessage: string,
    readonly detail: ProviderFailureDetail = {},
  ) {
    super(`${kind}: ${publicMessage}`);
  }
}
