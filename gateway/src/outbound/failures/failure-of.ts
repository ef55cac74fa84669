import {
  failureKindOf,
  NOT_IN_TIME,
  ProviderFailure,
  type ProviderFailureKind,
  reasonOfUnauthorized,
} from "../../contract/index.ts";
import type { FailureReason } from "../../kit/index.ts";
import { bodyOf } from "../body.ts";
import type { OutboundResponse } from "../outbound-call.ts";
import { readBeginning } from "../read-body.ts";
import { type ErrorBody, parseErrorBody, readErrorBody } from "./error-body.ts";
import {
  isAboutBreakBehind,
  isAboutContent,
  isAboutFlaggedPrompt,
  isAboutName,
  isAboutOurAccount,
  isAboutServer,
  isAboutUnpaidAccount,
  isOverflow,
  kindOfCodes,
} from "./error-signs.ts";
import { passedCodeOf } from "./passed-codes.ts";
import { sanitise } from "./public-message.ts";
import { retryAfterSecondsOf } from "./retry-after.ts";

/** No error needs more; some servers echo the whole prompt. */
const MAX_ERROR_BYTES = 64 << 10;
/** The status is already known; trying the next target should not wait long for the message. */
const ERROR_BODY_LIMIT_MS = 5_000;

const GENERIC: Readonly<Record<ProviderFailureKind, string>> = {
  rejected: "The model's provider refused the request.",
  context_overflow: "The messages are longer than the model's context.",
  unauthorized: "The model's provider refused our account.",
  rate_limited: "The model's provider is at its limit.",
  unavailable: "The model's provider failed.",
  timeout: NOT_IN_TIME,
};

/** What we must know about the server to read its errors. */
export type ErrorHabits = {
  /** The request had the caller's own wire format, so the names of fields are the caller's, too. */
  readonly namesCallersFields?: boolean;
};

type FailedAnswer = ErrorHabits & {
  /** Status of the response; 200 if the error is inside a response that began with success. */
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
  /** Raw text, or a value that is already parsed. */
  readonly body: unknown;
  /** Host and path of the call, for the log. */
  readonly where?: string;
  /** Our keys, hosts and names that must not be shown, exactly as they were sent. */
  readonly secrets?: readonly string[];
};

/** Turns any provider error into a ProviderFailure: what it means for the call, and what the caller may read of it. */
export function failureOf(answer: FailedAnswer): ProviderFailure {
  const body = typeof answer.body === "string" ? parseErrorBody(answer.body) : readErrorBody(answer.body);
  const kind = kindOf(answer.status, body);
  const secrets = answer.secrets ?? [];
  const retryAfterSeconds = retryAfterSecondsOf(answer.headers ?? new Headers(), {
    retryDelay: body.retryDelay,
    nowMs: Date.now(),
  });
  const isUp = kind === "unavailable" && isAnswerOfOneUp(answer.status, body);
  const isUnpaid = ABOUT_ACCOUNT.has(kind) && isAboutUnpaidAccount(answer.status, body);
  return new ProviderFailure(kind, sanitise(body.message, secrets) || GENERIC[kind], {
    internal: internalOf(answer, body),
    status: answer.status,
    ...(kind === "rejected" ? passedCodeOf(body.codes) : {}),
    ...reasonOf(kind, answer.status, body, isUnpaid),
    ...(BLAMES_REQUEST.has(kind) && answer.namesCallersFields ? paramOf(body, secrets) : {}),
    ...(kind === "unavailable" && isAboutBreakBehind(body) ? { isBrokenBehind: true } : {}),
    ...(isUnpaid ? { isUnpaid: true } : {}),
    ...(isUp ? { targetHealth: "up" } : {}),
    ...(MAY_BE_CONTENT.has(kind) && isAboutContent(body) ? { isContent: true } : {}),
    ...(MAY_COME_BACK.has(kind) && retryAfterSeconds !== null ? { retryAfterSeconds } : {}),
  });
}

/** The same for an unread response. Its connection is closed afterwards, unless its body was read to the end. */
export async function failureOfResponse(
  response: OutboundResponse,
  { limitMs = ERROR_BODY_LIMIT_MS, ...habits }: ErrorHabits & { readonly limitMs?: number } = {},
): Promise<ProviderFailure> {
  const body = bodyOf(response);
  const { where } = body;
  return failureOf({
    ...habits,
    status: response.status,
    headers: response.headers,
    body: await readBeginning(response, { maxBytes: MAX_ERROR_BYTES, limitMs }),
    where,
    secrets: body.secrets(),
  });
}

const MAY_BE_OVERFLOW: ReadonlySet<ProviderFailureKind> = new Set([
  "rejected",
  "rate_limited",
  "unavailable",
]);

const MAY_BE_CONTENT: ReadonlySet<ProviderFailureKind> = new Set(["rejected", "unavailable"]);
const BLAMES_REQUEST: ReadonlySet<ProviderFailureKind> = new Set(["rejected", "context_overflow"]);
/** Errors of other kinds may quote the prompt, and a prompt may contain any of these phrases. */
const ABOUT_ACCOUNT: ReadonlySet<ProviderFailureKind> = new Set(["unauthorized", "rate_limited"]);
const MAY_COME_BACK: ReadonlySet<ProviderFailureKind> = new Set(["rate_limited", "unavailable"]);

function kindOf(status: number, body: ErrorBody): ProviderFailureKind {
  const isError = status >= 400;
  const kind =
    isError || body.status !== null
      ? failureKindOf(isError ? status : (body.status ?? 500))
      : kindOfCodes(body);
  if (MAY_BE_OVERFLOW.has(kind) && isOverflow(body, kind === "rate_limited")) return "context_overflow";
  if (kind === "unauthorized" && isAboutFlaggedPrompt(body)) return "rejected";
  return kind === "rejected" && isAboutOurAccount(body) ? "unauthorized" : kind;
}

/** Only where the kind leaves it open. */
function reasonOf(
  kind: ProviderFailureKind,
  status: number,
  body: ErrorBody,
  isUnpaid: boolean,
): { readonly reason?: FailureReason } {
  if (isUnpaid) return { reason: "provider_limit" };
  if (kind === "rejected") return isAboutFlaggedPrompt(body) ? { reason: "content_refused" } : {};
  if (kind !== "unauthorized") return {};
  const said = status >= 400 ? status : (body.status ?? status);
  return { reason: isAboutName(body) ? "provider_error" : reasonOfUnauthorized(said) };
}

/** What a field name may look like, list indices included. */
const FIELD = /^[A-Za-z_][\w.[\]-]{0,99}$/;

function paramOf({ param }: ErrorBody, secrets: readonly string[]): { readonly param?: string } {
  const isShown = param !== null && FIELD.test(param) && sanitise(param, secrets) === param;
  return isShown ? { param } : {};
}

/** A 4xx blames the request, and so may an error inside a 2xx response that is not about the server itself. */
function isAnswerOfOneUp(status: number, body: ErrorBody): boolean {
  const said = status < 400 ? body.status : status;
  return said === null ? status < 300 && !isAboutServer(body) : said >= 400 && said < 500;
}

/** What a code may look like. Other text may quote a prompt, and the log never contains one. */
const CODE = /^[a-z][a-z_.-]{0,63}$/;

function internalOf({ status, where }: FailedAnswer, { codes }: ErrorBody): string {
  const named = [...codes].filter((code) => CODE.test(code)).slice(0, 5);
  return [where ? `${where}:` : "", String(status), ...named].filter((part) => part !== "").join(" ");
}
