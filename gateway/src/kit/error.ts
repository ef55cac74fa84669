import { assert } from "./assert.ts";
import { type ErrorCode, STATUSES_OF_CODE } from "./error-codes.ts";

/** A fixed window of requests, as reported in the rate-limit headers. */
export type RateState = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** What a call needs, how much of it is missing, and whose it is. */
export type MissingCredits = {
  readonly credits: number;
  readonly needed: number;
  readonly organizationId: string;
};

type AppErrorOptions = {
  /** HTTP status, if the code allows several. Defaults to the code's first one. */
  status?: number;
  /** For the log only. Never reaches a client. */
  internal?: string;
  /** The provider target that failed, if any. For the log only. */
  target?: string | undefined;
  /** The request field or parameter that is wrong, spelled as in the request. */
  field?: string;
  /** A more specific code, of a closed list, which only the OpenAI-compatible API shows. */
  reason?: string | undefined;
  /** Seconds until a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** False stops well-behaved SDKs from repeating a call that cannot succeed. */
  shouldRetry?: boolean;
  /** For the checkout link of a 402. */
  missing?: MissingCredits;
  /**
   * For statuses that usually close the connection: keeps it open, and the rest of the request is read and discarded.
   */
  keepsConnection?: boolean;
  /** The caller's state in its rate window, for the rate-limit headers. */
  rate?: RateState;
  /** The call was admitted, so it is recorded as one that failed, not as one that was refused. */
  isAdmitted?: true;
  /** The request that this error is about, when it is not the current one. */
  requestId?: string;
  cause?: unknown;
};

/**
 * Ends a request with one of the ten codes. `message` is public; `internal` is for the log. Rendered only in
 * `http/<wire>/errors.ts`.
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

  /** The same error for a call that was admitted. A copy, since calls may share one error. */
  withRate(rate: RateState): AppError {
    const told = new AppError(this.code, this.message, {
      ...this.options,
      status: this.status,
      rate,
      isAdmitted: true,
    });
    // Keep the stack of where it was thrown, not of where it was copied.
    if (this.stack !== undefined) told.stack = this.stack;
    return told;
  }
}

/** The most common error: a field whose value is not accepted. */
export function invalid(field: string, accepts: string): AppError {
  return new AppError("validation_error", `${field}: ${accepts}`, { field });
}

const MAX_ECHOED_CHARS = 64;

/** A name that a caller wrote, as a message may repeat it: short, and with no character that could look like another. */
export function echoed(name: string): string {
  const start = name.slice(0, MAX_ECHOED_CHARS).replace(/[^\w.:/@+$-]/g, "?");
  return name.length > MAX_ECHOED_CHARS ? `${start}…` : start;
}

export const NOTHING_AT_PATH = "There is nothing at this path.";

/** One answer for altered, deleted and never existing paths, so that nobody learns which it is. */
export function nothingAtPath(): AppError {
  return new AppError("validation_error", NOTHING_AT_PATH, { status: 404 });
}

/** For a full queue: refused at once, since waiting would take longer than the reply is worth. */
export function overloaded(internal?: string): AppError {
  return new AppError("internal_error", "The service is overloaded. Try again in a moment.", {
    status: 503,
    retryAfterSeconds: 1,
    internal,
  });
}
