import {
  brokenAnswer,
  endlessAnswer,
  lateAnswer,
  ProviderFailure,
  type ProviderFailureDetail,
} from "../../contract/index.ts";
import { ForeignExcess, NOT_CONNECTED, SseOverflow } from "../../kit/index.ts";
import { STALE_CONNECTION_MS } from "./stale-connection.ts";

/** No connection, or no complete request on it: the provider certainly has nothing, so another may be asked. */
export class UnsentFailure extends ProviderFailure {}

/** The failure also came early and is likely to pass soon: the same target may be asked once more. */
export class UnstartedFailure extends UnsentFailure {}

/**
 * The provider can hardly have begun to work on the call, so the same target may be asked once more; but it may have
 * received the whole request.
 */
export class EarlyResetFailure extends ProviderFailure {}

/** For an error, not an abort, that ended a call before the response headers arrived. */
export function connectionFailure(
  error: unknown,
  call: { where: string; elapsedMs: number; isUnsent?: boolean | undefined },
): ProviderFailure {
  const code = codeOf(error);
  const detail = {
    internal: `${call.where}: ${code} before the headers, after ${Math.round(call.elapsedMs)} ms`,
  };
  if (NOT_CONNECTED.has(code)) {
    return new UnstartedFailure("unavailable", UNREACHED, { ...detail, isUnconnected: true });
  }
  if (code === "ECONNRESET" && call.elapsedMs < STALE_CONNECTION_MS) {
    const Failure = call.isUnsent ? UnstartedFailure : EarlyResetFailure;
    return new Failure("unavailable", UNREACHED, detail);
  }
  const Failure = call.isUnsent ? UnsentFailure : ProviderFailure;
  return new Failure("unavailable", "The model's provider broke off the call.", detail);
}

const UNREACHED = "The model's provider could not be reached.";

/** We could not read our own request body to its end, so the provider never got a complete request. */
export function unmadeFailure(error: unknown, where: string): UnsentFailure {
  return new UnstartedFailure(
    "unavailable",
    "What was to be sent to the model's provider could not be read.",
    {
      internal: `${where}: the body broke off: ${String(error)}`,
      targetHealth: "unknown",
    },
  );
}

/** For an error that interrupts the response body. */
export function bodyFailure(error: unknown, where: string): ProviderFailure {
  return brokenAnswer(`${where}: ${codeOf(error)} in the body`);
}

/** The caller decides how long an answer gets, so its size is not held against the target. */
export function oversizeFailure(what: string, where: string): ProviderFailure {
  return endlessAnswer(`${where}: ${what}`, EXCESS);
}

/** The answer exceeds our limits, which may be what the caller asked for. */
export const EXCESS = { targetHealth: "up", isExcess: true, reason: "cut_by_limit" } as const;

/** For a body that could not be parsed: a caller may have asked for too much of it, but not for invalid JSON. */
export function detailOfUnread(cause: unknown): ProviderFailureDetail {
  return cause instanceof ForeignExcess || cause instanceof SseOverflow ? EXCESS : {};
}

export function timeoutFailure(what: string, where: string, more: ProviderFailureDetail): ProviderFailure {
  return lateAnswer(`${where}: ${what}`, more);
}

/** The timeout of a call that never went out. The same target is not retried: it was slow already. */
export function unsentTimeout({ kind, publicMessage, detail }: ProviderFailure): UnsentFailure {
  return new UnsentFailure(kind, publicMessage, detail);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return code === "TypeError" ? error.message : code;
}
