import { type ErrorCode, type FailureReason, ZERO_CREDITS } from "../../kit/index.ts";
import type { Settlement } from "../../ledger/index.ts";
import type { PaidCall } from "./paid-call-input.ts";
import type { Produced } from "./produced.ts";

/** Larger replies are not kept; a repeat gets an error that says so. */
const MAX_KEPT_REPLY_BYTES = 1024 * 1024;
/** Shorter texts surely fit: a UTF-16 code unit has at most three bytes in UTF-8. */
const SURELY_KEPT_LENGTH = MAX_KEPT_REPLY_BYTES / 3;

/**
 * The settlement of a call that produced something, delivered completely or in part. `errorCode` is that of an answer
 * that its provider stopped because of the content.
 */
export function producedSettlement<Outcome>(input: {
  call: PaidCall;
  produced: Produced<Outcome>;
  latencyMs: number;
  status: Settlement["status"];
  errorCode?: ErrorCode | null;
}): Settlement {
  const { call, produced } = input;
  const isAsked = call.admission.idempotency !== null && input.status === "succeeded";
  const keeps = isAsked && produced.isUnrepeatable !== true;
  const settlement: Settlement = {
    ...call.admission,
    cost: produced.cost,
    measured: produced.measured,
    status: input.status,
    inputTokens: produced.inputTokens,
    outputTokens: produced.outputTokens,
    tokensSaved: produced.tokensSaved,
    latencyMs: Math.round(input.latencyMs),
    errorCode: input.errorCode ?? null,
    reason: reasonOf(input.status, produced),
    priceRuleId: call.priceRuleId,
    target: produced.target,
    reply: keeps ? keptReply(produced.outcome) : null,
  };
  return produced.assets === undefined ? settlement : { ...settlement, assets: produced.assets };
}

function reasonOf(
  status: Settlement["status"],
  { isCut }: Pick<Produced<unknown>, "isCut">,
): FailureReason | null {
  if (status === "cancelled") return "client_left";
  // Only a stop because of the content fails with something produced.
  if (status === "failed") return "content_refused";
  return isCut === true ? "cut_by_limit" : null;
}

/** The settlement of a failed call: releases its hold. */
export function failedSettlement(
  call: PaidCall,
  failure: { readonly code: ErrorCode; readonly reason: FailureReason | null },
  latencyMs: number,
): Settlement {
  return {
    ...call.admission,
    cost: ZERO_CREDITS,
    measured: null,
    status: "failed",
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    latencyMs: Math.round(latencyMs),
    errorCode: failure.code,
    reason: failure.reason,
    priceRuleId: call.priceRuleId,
    target: null,
    reply: null,
  };
}

function keptReply(outcome: unknown): string | null {
  const text = JSON.stringify(outcome);
  const isKept = text.length <= SURELY_KEPT_LENGTH || Buffer.byteLength(text) <= MAX_KEPT_REPLY_BYTES;
  return isKept ? text : null;
}
