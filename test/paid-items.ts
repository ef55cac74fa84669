import type { AdmissionCall } from "../gateway/src/admission/index.ts";
import { type Credits, credits, newId, ZERO_CREDITS } from "../gateway/src/kit/index.ts";
import type { CallIdentity, Settlement } from "../gateway/src/ledger/index.ts";

export const KEY_ID = "01890000-0000-7000-8000-00000000beef";

/**
 * An admission under a generous plan, for tests of the ledger; `changes` names only what the test is about.
 * `settlementOf` makes the settlement of the same call.
 */
export function admissionOf(
  orgId: string,
  amount: number,
  changes: Partial<AdmissionCall> = {},
): AdmissionCall {
  return {
    orgId,
    requestId: newId(),
    keyId: KEY_ID,
    memberUserId: null,
    endpoint: "api-v1-chat",
    model: "sandbox-chat",
    kind: "call",
    minimum: credits(amount),
    full: credits(amount),
    sharesBalance: false,
    requestsPerMinute: 1_000_000,
    inFlight: 100_000,
    keyRequestsPerMinute: null,
    keyInFlight: null,
    holdTtlMs: 16 * 60_000,
    idempotency: null,
    ...changes,
  };
}

export function settlementOf(
  call: CallIdentity,
  cost: Credits,
  changes: Partial<Settlement> = {},
): Settlement {
  return {
    orgId: call.orgId,
    requestId: call.requestId,
    keyId: call.keyId,
    memberUserId: call.memberUserId,
    endpoint: call.endpoint,
    model: call.model,
    cost,
    status: "succeeded",
    inputTokens: 10,
    outputTokens: 5,
    tokensSaved: 0,
    latencyMs: 7,
    errorCode: null,
    reason: null,
    priceRuleId: null,
    measured: null,
    target: "sandbox/sandbox-chat",
    reply: null,
    ...changes,
  };
}

export function releaseOf(call: CallIdentity): Settlement {
  return settlementOf(call, ZERO_CREDITS, {
    status: "failed",
    errorCode: "internal_error",
    reason: "internal",
    inputTokens: 0,
    outputTokens: 0,
    target: null,
  });
}
