import { assert } from "./assert.ts";
import { type ErrorCode, STATUSES_OF_CODE } from "./error-codes.ts";

/** A fixed window of requests: what the rate-limit headers say. */
export type RateState = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

type AppErrorOptions = {
  /** HTTP status where the code allows several; the code's first one otherwise. */
  status?: number;
  /** For the log only. Never reaches a client. */
  internal?: string;
  /** The target that failed, where it was a provider. For the log only. */
  target?: string | undefined;
  /** The request field or parameter that is wrong, in the wire's own spelling. */
  field?: string;
  /** A finer reason that the compatible interface has a code of its own for. */
  reason?: "context_length_exceeded" | "previous_response_not_found";
  /** Seconds until a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** False stops well-behaved SDKs from repeating a call that cannot succeed. */
  shouldRetry?: boolean;
  /** Credits still missing for this call, and to whom, for the checkout link of a 402. */
  missing?: { readonly credits: number; readonly organizationId: string };
  /** Of a status after which the connection usually ends: this time what is left of the request is read and thrown away. */
  keepsConnection?: boolean;
  /** Where the caller stands in its rate window, for the rate-limit headers. */
  rate?: RateState;
  /** The request that this error is about, when it is not the current one. */
  requestId?: string;
  cause?: unknown;
};

/**
 * Ends a request with one of the ten codes. `message` is public; `internal` is for the log.
 * Rendered only in `http/<wire>/errors.ts`.
 */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: Readonly<AppErrorOptions>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const allowed = STATUSES_OF_CODE[code];
    const status = options.status ?? allowed[0] ?? 500;
    assert(allowed.includes(status), `status ${status} does not belong to ${code}`);
    this.code = code;
    this.status = status;
    this.options = options;
  }

  /** The same for a call that counts in its caller's rate window. A copy, since several calls may share one error. */
  withRate(rate: RateState): AppError {
    const told = new AppError(this.code, this.message, { ...this.options, status: this.status, rate });
    // Where it was thrown, not where it was copied.
    if (this.stack !== undefined) told.stack = this.stack;
    return told;
  }
}

/** The most common refusal: a field that is not what it accepts. */
export function invalid(field: string, accepts: string): AppError {
  return new AppError("validation_error", `${field}: ${accepts}`, { field });
}

export const NOTHING_AT_PATH = "There is nothing at this path.";

/** Altered, deleted and never there: one answer for all, so that nobody learns which it is. */
export function nothingAtPath(): AppError {
  return new AppError("validation_error", NOTHING_AT_PATH, { status: 404 });
}

/** For a queue that is full: said at once, since waiting would take longer than the answer is worth. */
export function overloaded(internal?: string): AppError {
  return new AppError("internal_error", "The service is overloaded. Try again in a moment.", {
    status: 503,
    retryAfterSeconds: 1,
    internal,
  });
}
