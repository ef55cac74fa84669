import { ProviderFailure, type ProviderFailureKind } from "../../contract/index.ts";
import { AppError, type FailureReason, Stopped, type StopReason, unreachable } from "../../kit/index.ts";

const MAX_RETRY_AFTER_SECONDS = 60;
const USUAL_RETRY_AFTER_SECONDS = 5;

/** The error for a call that produced nothing. Charged 0 in every case. */
export function failureError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Stopped) return stoppedError(error);
  if (error instanceof ProviderFailure) return providerError(error);
  return new AppError("internal_error", "Something went wrong on our side. Nothing was charged.", {
    internal: error instanceof Error ? (error.stack ?? error.message) : String(error),
    cause: error,
  });
}

/** The error for an answer that was stopped because of its content after some of it, which is charged. */
export function contentError({ target, detail }: ProviderFailure): AppError {
  return new AppError(
    "validation_error",
    "The model's provider stopped this answer because of its content. What was delivered is charged.",
    { internal: detail.internal, target },
  );
}

const REASONS_OF_STOPS: Readonly<Record<StopReason, FailureReason>> = {
  deadline: "cut_by_limit",
  shutdown: "shutdown",
  // A node that cannot renew its lease has no database.
  lease_lost: "database",
  client_gone: "client_left",
};

const REASONS_OF_KINDS: Readonly<Record<ProviderFailureKind, FailureReason>> = {
  rejected: "provider_refused_request",
  context_overflow: "provider_refused_request",
  unauthorized: "provider_refused_our_key",
  rate_limited: "provider_limit",
  unavailable: "provider_error",
  timeout: "timeout_first_byte",
};

/** Why such a call produced nothing, for the request log and the receipt. */
export function failureReason(error: unknown): FailureReason {
  if (error instanceof Stopped) return REASONS_OF_STOPS[error.reason];
  if (!(error instanceof ProviderFailure)) return "internal";
  const { reason, isContent } = error.detail;
  return reason ?? (isContent ? "content_refused" : REASONS_OF_KINDS[error.kind]);
}

function stoppedError(stopped: Stopped): AppError {
  switch (stopped.reason) {
    case "deadline":
      return new AppError("internal_error", "The model timed out: it took too long. Nothing was charged.", {
        status: 504,
        shouldRetry: false,
      });
    case "shutdown":
    case "lease_lost":
    case "client_gone":
      return new AppError("internal_error", "This node is restarting. Nothing was charged; try again.", {
        status: 503,
        retryAfterSeconds: 1,
        internal: stopped.reason,
      });
    default:
      return unreachable(stopped.reason);
  }
}

const FAILED = "The model's provider failed (server error). Nothing was charged.";
/** Without `server error`: a repeat would be refused as well. */
const KEY_REFUSED =
  "The model's provider refused this gateway's key: its operator has to set a valid one. Nothing was charged.";

/**
 * Some agents only look at the message and retry on `timed out` and `server error`, as they would with the provider
 * itself.
 */
function providerError(failure: ProviderFailure): AppError {
  const { target } = failure;
  const { internal, param, field = param, code, isPassedOver, isExcess } = failure.detail;
  switch (failure.kind) {
    case "rejected":
      return new AppError("validation_error", failure.publicMessage, {
        internal,
        field,
        reason: code,
      });
    case "context_overflow":
      return new AppError("validation_error", failure.publicMessage, {
        internal,
        field,
        reason: "context_length_exceeded",
      });
    case "rate_limited":
      return new AppError(
        "internal_error",
        "The model's provider is at its limit. Nothing was charged; try again.",
        {
          status: 503,
          retryAfterSeconds: retryAfterSeconds(failure),
          internal,
          target,
        },
      );
    case "timeout":
      return new AppError(
        "internal_error",
        "The model's provider timed out: it did not answer in time. Nothing was charged.",
        {
          status: 504,
          internal,
          target,
        },
      );
    case "unauthorized":
    case "unavailable":
      if (isPassedOver) return passedOver(failure);
      return new AppError(
        "internal_error",
        failureReason(failure) === "provider_refused_our_key" ? KEY_REFUSED : FAILED,
        {
          status: 502,
          // Another try gets the same answer.
          ...(failure.kind === "unauthorized" || isExcess ? { shouldRetry: false } : {}),
          internal,
          target,
        },
      );
    default:
      return unreachable(failure.kind);
  }
}

function passedOver(failure: ProviderFailure): AppError {
  return new AppError(
    "internal_error",
    "The model's provider keeps failing (server error), so it is not asked for a moment. Nothing was charged; try again.",
    {
      status: 503,
      retryAfterSeconds: retryAfterSeconds(failure),
      internal: failure.detail.internal,
      target: failure.target,
    },
  );
}

/** Whatever the provider sent, clients get a whole number of seconds within reasonable bounds. */
function retryAfterSeconds({ detail }: ProviderFailure): number {
  const given = detail.retryAfterSeconds ?? USUAL_RETRY_AFTER_SECONDS;
  if (Number.isNaN(given)) return USUAL_RETRY_AFTER_SECONDS;
  return Math.ceil(Math.min(Math.max(given, 1), MAX_RETRY_AFTER_SECONDS));
}
