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
  /** The target is made for tests, where callers ask for failures: it is not asked again, and nobody is told. */
  isOfTest?: true;
  /** Part of the answer had already arrived, so no other target is tried. */
  hasBegun?: true;
  /** The provider took the order, or may have taken one of several: asked again, it might make the file twice. */
  mayBeMade?: true;
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

/** Marks a failure that follows an order which the provider took, or may have taken. */
export function afterOrder(error: unknown): unknown {
  if (error instanceof ProviderFailure) error.mayBeMade = true;
  return error;
}

/** Such a resource exists already; it may be this very order. */
const CONFLICT = 409;
/** Nginx's status for a request that its client gave up; a proxy on the way may be that client. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Complete responses which say that nobody works on the order; 500, 502 and 504 may also follow one that was started.
 */
export function isClearNo({ kind, mayBeMade, detail }: ProviderFailure): boolean {
  const { status = 0, isBrokenBehind } = detail;
  if (kind !== "unavailable" && kind !== "rate_limited") return false;
  if (mayBeMade || isBrokenBehind || status === CONFLICT) return false;
  return status === 503 || status === 529 || (status >= 400 && status < CLIENT_CLOSED_REQUEST);
}
