import type { Admission, AdmissionCall } from "../../admission/index.ts";
import { AppError, type RateState, unreachable } from "../../kit/index.ts";

type Refusal = Exclude<Admission, { outcome: "admitted" } | { outcome: "replay" }>;

type Repeat = Extract<Admission, { outcome: "replay" }>;

type RefusedCall = Pick<AdmissionCall, "orgId" | "kind" | "minimum" | "keyInFlight">;

/** A refused admission as an error of the API. */
export function refusalError(refusal: Refusal, call: RefusedCall): AppError {
  switch (refusal.outcome) {
    case "running":
      return repeatRefused(
        `the first call with this key is still running (request_id ${refusal.requestId}). Try again when it has ended.`,
        refusal.rate,
        { retryAfterSeconds: 2 },
      );
    case "conflict":
      return repeatRefused(
        `this key was used for a different request (request_id ${refusal.requestId}). Use a new key for a new request.`,
        refusal.rate,
      );
    case "rate_limited":
      return new AppError(
        "rate_limit_exceeded",
        `Rate limit of ${refusal.rate.limit} requests a minute reached. Try again in ${refusal.rate.resetSeconds} s.`,
        { retryAfterSeconds: refusal.rate.resetSeconds, rate: refusal.rate },
      );
    case "too_many_in_flight":
      return new AppError(
        "rate_limit_exceeded",
        `Too many ${runningBeside(call)} are running. Try again when one has ended.`,
        { retryAfterSeconds: 1, rate: refusal.rate },
      );
    case "insufficient":
      return new AppError(
        "insufficient_credits",
        `Not enough credits: ${call.minimum} needed, ${refusal.available} available, ${refusal.held} held by running calls.`,
        {
          missing: {
            credits: call.minimum - refusal.available,
            needed: call.minimum,
            organizationId: call.orgId,
          },
          rate: refusal.rate,
        },
      );
    case "lease_lost":
      return new AppError("internal_error", "This node is rejoining. Try again shortly.", {
        status: 503,
        retryAfterSeconds: 1,
      });
    default:
      return unreachable(refusal);
  }
}

/** The ledger does not report whether the key's or the organization's limit was reached. */
function runningBeside({ kind, keyInFlight }: RefusedCall): string {
  if (kind === "job") return "video jobs of this organization";
  return keyInFlight === null ? "calls of this organization" : "calls of this key or its organization";
}

/**
 * For a repeat whose first reply was too large to keep, or was cut short in a wire format. Says where to find what
 * was paid for.
 */
export function replyNotKept({ requestId, rate }: Pick<Repeat, "requestId" | "rate">): AppError {
  return repeatRefused(
    `the first call with this key has ended (request_id ${requestId}), but its reply was too large to keep, or cut short. See it in the usage report; use a new key to run it again.`,
    rate,
  );
}

function repeatRefused(
  words: string,
  rate: RateState,
  more: { readonly retryAfterSeconds?: number } = {},
): AppError {
  return new AppError("validation_error", `Idempotency-Key: ${words}`, {
    status: 409,
    shouldRetry: false,
    field: "Idempotency-Key",
    ...more,
    rate,
  });
}
