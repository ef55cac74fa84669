import type { AdmissionCall } from "../admission/index.ts";
import type { Model, Plan } from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import type { Steps } from "../kit/index.ts";
import type { Span } from "../telemetry/index.ts";
import type { PaidCall } from "./paid-call/paid-call-input.ts";

/** A call whose caller and model are known: the fields that every paid call has, on every wire. */
export type ResolvedCall<Served extends Model = Model> = {
  readonly principal: Principal;
  readonly plan: Plan;
  readonly memberUserId: string | null;
  readonly requestId: string;
  readonly endpoint: string;
  readonly model: Served;
  readonly idempotency: AdmissionCall["idempotency"];
  readonly span: Span;
};

/**
 * A call that may wait for a third party before anything is held, possibly longer than the caller's key stays valid.
 */
export type WaitingCall = {
  /** Checks the caller's key again; rejects if it is no longer valid. Free if the last check was recent. */
  askAgain(): Promise<void>;
};

/** Does long work of a call, and lets others be served between its steps. */
export type InTurns = {
  inTurns<Value>(steps: Steps<Value>): Value | Promise<Value>;
};

/** Holds outlive the call's deadline by this much, so that a slow settlement still finds them. */
const HOLD_GRACE_MS = 60_000;

/** The least and the most that a call holds. */
type Hold = Pick<AdmissionCall, "minimum" | "full"> & Partial<Pick<AdmissionCall, "sharesBalance">>;

export function paidCallOf(call: ResolvedCall, hold: Hold, timeoutMs: number): PaidCall {
  return {
    admission: admissionOf(call, "call", hold, timeoutMs + HOLD_GRACE_MS),
    priceRuleId: call.model.priceRule.id,
    timeoutMs,
    span: call.span,
  };
}

/** Jobs in flight are counted separately from calls, and no key has a limit of its own for them. */
export function admissionOf(
  call: ResolvedCall,
  kind: AdmissionCall["kind"],
  { minimum, full, sharesBalance = false }: Hold,
  holdTtlMs: number,
): AdmissionCall {
  const { principal, plan, model } = call;
  return {
    orgId: principal.organization.id,
    requestId: call.requestId,
    keyId: principal.keyId,
    memberUserId: call.memberUserId,
    endpoint: call.endpoint,
    model: model.id,
    kind,
    minimum,
    full,
    sharesBalance,
    requestsPerMinute: plan.requestsPerMinute,
    inFlight: kind === "job" ? plan.videoJobs : plan.inFlight,
    keyRequestsPerMinute: principal.limits.requestsPerMinute,
    keyInFlight: kind === "job" ? null : principal.limits.inFlight,
    holdTtlMs,
    idempotency: call.idempotency,
  };
}
