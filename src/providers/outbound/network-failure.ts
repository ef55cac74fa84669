import { ForeignExcess, NOT_CONNECTED, SseOverflow } from "../../kit/index.ts";
import { brokenAnswer, endlessAnswer, lateAnswer } from "../answer-failures.ts";
import { ProviderFailure, type ProviderFailureDetail } from "../contract.ts";
import { STALE_CONNECTION_MS } from "./stale-connection.ts";

/** There was no connection, or no whole request on it: the provider surely has nothing, so another may be asked. */
export class UnsentFailure extends ProviderFailure {}

/** And that was soon known, as it passes soon: the same target may be asked once more. */
export class UnstartedFailure extends UnsentFailure {}

/**
 * The provider can hardly have begun to work on the call, so the same target may be asked once more; but it may have
 * all of it.
 */
export class EarlyResetFailure extends ProviderFailure {}

/** What ended a call that nobody stopped, before the headers have come. */
export function connectionFailure(
  error: unknown,
  call: { where: string; elapsedMs: number; isUnsent?: boolean | undefined },
): ProviderFailure {
  const code = codeOf(error);
  const detail = {
    internal: `${call.where}: ${code} before the headers, after ${Math.round(call.elapsedMs)} ms`,
  };
  if (NOT_CONNECTED.has(code)) return new UnstartedFailure("unavailable", UNREACHED, detail);
  if (code === "ECONNRESET" && call.elapsedMs < STALE_CONNECTION_MS) {
    const Failure = call.isUnsent ? UnstartedFailure : EarlyResetFailure;
    return new Failure("unavailable", UNREACHED, detail);
  }
  const Failure = call.isUnsent ? UnsentFailure : ProviderFailure;
  return new Failure("unavailable", "The model's provider broke off the call.", detail);
}

const UNREACHED = "The model's provider could not be reached.";

/** Our own part of the call could not be read to its end, so the provider never had a whole request. */
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

/** What breaks off the answer. */
export function bodyFailure(error: unknown, where: string): ProviderFailure {
  return brokenAnswer(`${where}: ${codeOf(error)} in the body`);
}

/** How long an answer gets is its caller's to ask for. */
export function oversizeFailure(what: string, where: string): ProviderFailure {
  return endlessAnswer(`${where}: ${what}`, EXCESS);
}

/** Of an answer with more in it than our bounds allow: that may have been asked for. */
export const EXCESS = { targetHealth: "up", isExcess: true } as const;

/** Of what could not be parsed: what is no JSON was not asked for. */
export function detailOfUnread(cause: unknown): ProviderFailureDetail {
  return cause instanceof ForeignExcess || cause instanceof SseOverflow ? EXCESS : {};
}

export function timeoutFailure(what: string, where: string): ProviderFailure {
  return lateAnswer(`${where}: ${what}`);
}

/** Of a call that was still waiting to go out. Not tried again there: it was slow already. */
export function unsentTimeout({ kind, publicMessage, detail }: ProviderFailure): UnsentFailure {
  return new UnsentFailure(kind, publicMessage, detail);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return code === "TypeError" ? error.message : code;
}
