import type { AdmissionCall } from "../admission/index.ts";
import type { Model, Plan } from "../catalog/index.ts";
import type { Principal } from "../identity/index.ts";
import type { Credits } from "../kit/index.ts";
import type { Span } from "../telemetry/index.ts";
import type { PaidCall } from "./paid-call/paid-call-input.ts";

/** A call whose caller and model are known: what every wire says of every paid call, whatever it asks for. */
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

/** A call that waits for others before anything is held for it, longer than its caller's key may be good. */
export type WaitingCall = {
  /** Rejects where they may no longer ask. Costs nothing unless it has been a while. */
  askAgain(): Promise<void>;
};

/** A hold outlives its call's deadline by this much, so that a slow settlement still finds it. */
const HOLD_GRACE_MS = 60_000;

/** The least and the most that a call holds. */
type Hold = { readonly minimum: Credits; readonly full: Credits };

/** The call as admission and settlement know it. */
export function paidCallOf(call: ResolvedCall, hold: Hold, timeoutMs: number): PaidCall {
  return {
    admission: admissionOf(call, "call", hold, timeoutMs + HOLD_GRACE_MS),
    priceRuleId: call.model.priceRule.id,
    timeoutMs,
    span: call.span,
  };
}

/** Jobs are counted apart from calls, and no key has a number of its own for them. */
export function admissionOf(
  call: ResolvedCall,
  kind: AdmissionCall["kind"],
  { minimum, full }: Hold,
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
    requestsPerMinute: plan.requestsPerMinute,
    inFlight: kind === "job" ? plan.videoJobs : plan.inFlight,
    keyRequestsPerMinute: principal.limits.requestsPerMinute,
    keyInFlight: kind === "job" ? null : principal.limits.inFlight,
    holdTtlMs,
    idempotency: call.idempotency,
  };
}
