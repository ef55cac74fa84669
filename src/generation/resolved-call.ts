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
  readonly idempotency: { readonly key: string; readonly fingerprint: Uint8Array } | null;
  readonly span: Span;
};

/** A hold outlives its call's deadline by this much, so that a slow settlement still finds it. */
const HOLD_GRACE_MS = 60_000;

/** The call as admission and settlement know it; `minimum` and `full` are the least and the most it holds. */
export function paidCallOf(
  call: ResolvedCall,
  { minimum, full }: { readonly minimum: Credits; readonly full: Credits },
  timeoutMs: number,
): PaidCall {
  const { principal, plan, model } = call;
  return {
    admission: {
      orgId: principal.organization.id,
      requestId: call.requestId,
      keyId: principal.keyId,
      memberUserId: call.memberUserId,
      endpoint: call.endpoint,
      model: model.id,
      kind: "call",
      minimum,
      full,
      requestsPerMinute: plan.requestsPerMinute,
      inFlight: plan.inFlight,
      keyRequestsPerMinute: principal.limits.requestsPerMinute,
      keyInFlight: principal.limits.inFlight,
      holdTtlMs: timeoutMs + HOLD_GRACE_MS,
      idempotency: call.idempotency,
    },
    priceRuleId: model.priceRule.id,
    timeoutMs,
    span: call.span,
  };
}
