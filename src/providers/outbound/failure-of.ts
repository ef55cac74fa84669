import { ProviderFailure, type ProviderFailureKind } from "../contract.ts";
import { failureKindOf } from "../status-failure.ts";
import { bodyOf } from "./body.ts";
import { type ErrorBody, parseErrorBody, readErrorBody } from "./error-body.ts";
import { isAboutOurAccount, isAboutServer, isOverflow, kindOfCodes } from "./error-signs.ts";
import type { OutboundResponse } from "./outbound-call.ts";
import { sanitise } from "./public-message.ts";
import { readBeginning } from "./read-body.ts";
import { retryAfterSecondsOf } from "./retry-after.ts";

/** No error needs more; some send the whole prompt back. */
const MAX_ERROR_BYTES = 64 << 10;
/** The status is known; the next target should not wait long for the words. */
const ERROR_BODY_LIMIT_MS = 5_000;

const GENERIC: Readonly<Record<ProviderFailureKind, string>> = {
  rejected: "The model's provider refused the request.",
  context_overflow: "The messages are longer than the model's context.",
  unauthorized: "The model's provider refused our account.",
  rate_limited: "The model's provider is at its limit.",
  unavailable: "The model's provider failed.",
  timeout: "The model's provider did not answer in time.",
};

export type FailedAnswer = {
  /** Of the answer; 200 where the error stands inside an answer that began well. */
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
  /** Text as it came, or a value that is parsed already. */
  readonly body: unknown;
  readonly host?: string;
  /** Keys, hosts and names of ours that must not be shown, exactly as they were sent. */
  readonly secrets?: readonly string[];
};

/** Any error of a provider in our words: what it means for the call, and what its caller may read of it. */
export function failureOf(answer: FailedAnswer): ProviderFailure {
  const body = typeof answer.body === "string" ? parseErrorBody(answer.body) : readErrorBody(answer.body);
  const kind = kindOf(answer.status, body);
  const secrets = answer.secrets ?? [];
  const retryAfterSeconds = retryAfterSecondsOf(answer.headers ?? new Headers(), {
    retryDelay: body.retryDelay,
    nowMs: Date.now(),
  });
  return new ProviderFailure(kind, sanitise(body.message, secrets) || GENERIC[kind], {
    internal: internalOf(answer, body),
    ...(kind === "unavailable" && isUp(answer.status, body) ? { news: "up" } : {}),
    ...(kind === "rate_limited" || kind === "unavailable"
      ? retryAfterSeconds === null
        ? {}
        : { retryAfterSeconds }
      : {}),
  });
}

/** The same for an answer that has not been read; its connection is done with afterwards. */
export async function failureOfResponse(
  response: OutboundResponse,
  limitMs = ERROR_BODY_LIMIT_MS,
): Promise<ProviderFailure> {
  const body = bodyOf(response);
  const { host } = body;
  return failureOf({
    status: response.status,
    headers: response.headers,
    body: await readBeginning(response, { maxBytes: MAX_ERROR_BYTES, limitMs }),
    host,
    secrets: body.secrets(),
  });
}

const MAY_BE_OVERFLOW: ReadonlySet<ProviderFailureKind> = new Set([
  "rejected",
  "rate_limited",
  "unavailable",
]);

function kindOf(status: number, body: ErrorBody): ProviderFailureKind {
  const isError = status >= 400;
  const kind =
    isError || body.status !== null
      ? failureKindOf(isError ? status : (body.status ?? 500))
      : kindOfCodes(body.codes);
  if (MAY_BE_OVERFLOW.has(kind) && isOverflow(body)) return "context_overflow";
  return kind === "rejected" && isAboutOurAccount(body) ? "unauthorized" : kind;
}

/** A status of 4xx blames the request, and so may an error in a good answer that does not speak of the server itself. */
function isUp(status: number, body: ErrorBody): boolean {
  const said = status < 400 ? body.status : status;
  return said === null ? status < 300 && !isAboutServer(body) : said >= 400 && said < 500;
}

/** What a code may look like; a provider's words may repeat a prompt, and the log never holds one. */
const CODE = /^[a-z][a-z_.-]{0,63}$/;

function internalOf({ status, host }: FailedAnswer, { codes }: ErrorBody): string {
  const named = [...codes].filter((code) => CODE.test(code)).slice(0, 5);
  return [host ? `${host}:` : "", String(status), ...named].filter((part) => part !== "").join(" ");
}
