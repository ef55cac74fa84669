import type { ProviderFailureKind } from "../../contract/index.ts";
import type { ErrorBody } from "./error-body.ts";

/** These mean a prompt that does not fit, whatever the status: one provider sends them with 429. */
const OVERFLOW_CODES = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_context_window_exceeded",
  "context_window_exceeded",
  "too_many_prompt_tokens",
  "too_many_tokens",
  "model_max_prompt_tokens_exceeded",
  "tokens_too_long",
];

/** Means any text that is too long for its field: the prompt, but also a name or an id. */
const TEXT_CODES = ["string_above_max_length"];
const PROMPT_FIELD = /^(?:messages|input|prompt|instructions)\b(?!.*(?:id|name)$)/;

/** These mean a prompt that does not fit, except at a rate limit: there they are about tokens per minute or per day. */
const COUNT_CODES = ["tokens_limit_reached"];
const COUNT_PHRASES = [
  "exceeds the maximum number of tokens allowed",
  "input tokens exceeded",
  "number of input tokens exceeds",
  "too many tokens",
  "input exceeds the",
  "tokens in request more than max tokens allowed",
];

/** These mean a prompt that does not fit, unless the message is about another field that may be too long. */
const LENGTH_PHRASES = [
  "prompt exceeds max length",
  "context size exceeded",
  "maximum allowed input length",
  "exceeds maximum input length",
  "exceeds the maximum model length",
  "longer than the maximum model length",
  "is greater than max_seq_len",
  "exceeds session_len",
  "cannot exceed the total tokens limit",
  "input length too long",
];
/** How a message about a field other than the prompt begins. */
const OTHER_FIELD =
  /^\W?(?:max_(?:\w+_)?tokens\b|(?:tools?|functions?|tool_choice|response_format|stop|user|metadata|image[ _]url)\W?[[.:=])/i;

/** In lower case, otherwise as the providers write them. */
const OVERFLOW_PHRASES = [
  "maximum context length",
  "exceeds the context window",
  "exceed the context window",
  "context length exceeded",
  "context_length_exceeded",
  "context window exceeded",
  "exceeded max context length",
  "exceeds the available context size",
  "exceeds maximum context",
  "exceed context limit",
  "exceeds the model's maximum context",
  "larger than the maximum context",
  "too large for model with",
  "prompt is too long",
  "prompt too long",
  "input is too long",
  "input length and `max_tokens` exceed",
  "maximum prompt length is",
  "please reduce the length of the messages",
  "total length of all messages is too long",
  "request too large for",
  "greater than the context length",
  "longer than the model's context length",
  "exceeds the context length",
  "model's context length is only",
  "loaded with context length of only",
  "exceeded model token limit",
  "range of input length should be",
  "`inputs` tokens + `max_new_tokens` must be <=",
  "inputs tokens + max_new_tokens must be <=",
  "`inputs` must have less than",
  "context window exceeds limit",
  "exceeded this model context window limit",
  "contextwindowexceedederror",
  "context size has been exceeded",
  "mid-generation context overflow",
  "exceeds the max context length",
  "maximum supported sequence length is just",
  "length of prompt_tokens",
  "exceed max message tokens",
];

/** About our own account or the configured model; some providers send these with a status that blames the request. */
const ACCOUNT_CODES = [
  "api_key_invalid",
  "invalid_api_key",
  "authentication_error",
  "unauthenticated",
  "permission_denied",
  "permission_error",
  "arrearage",
  "billing_hard_limit_reached",
];
const MODEL_CODES = ["model_not_found", "invalid_model"];
const ACCOUNT_PHRASES = [
  "api key not valid",
  "api key expired",
  "api key not found",
  "incorrect api key",
  "invalid api key",
  "invalid x-api-key",
  "credit balance is too low",
  "no api key",
  "reached your specified api usage limits",
  "this organization has been disabled",
  "user location is not supported",
];
/** The operator configured a model id where the provider wants an inference profile. */
const MODEL_PHRASES = ["on-demand throughput"];
/**
 * Too common a phrase within a longer message: as the whole message it means that the account may not call models yet.
 */
const WHOLE_ACCOUNT_MESSAGE = /^\W*operation not allowed\W*$/i;

/**
 * Our account has no credit left or has reached a spending limit. Google's quota message is not listed: it is the same
 * for a per-minute quota.
 */
const UNPAID_CODES = [
  "insufficient_quota",
  "exceeded_current_quota_error",
  "insufficient_balance",
  "billing_hard_limit_reached",
  "billing_error",
  "arrearage",
];
const UNPAID_PHRASES = [
  "credit balance is too low",
  "insufficient balance",
  "reached your specified api usage limits",
];
const PAYMENT_REQUIRED = 402;

/**
 * Codes for a refusal or a stop because of the content, by who made them up; routers pass them on. In lower case, and
 * without what follows a dot in some of them. Charges depend on this list, so it has no phrases.
 */
const CONTENT_CODES = new Set(
  Object.values({
    openai: [
      ...["content_filter", "content_policy_violation", "moderation_blocked", "invalid_prompt"],
      ...["bio_policy", "bio_policy_violation", "cyber_policy", "cyber_policy_violation"],
    ],
    azure: ["responsibleaipolicyviolation"],
    alibaba: ["data_inspection_failed", "datainspectionfailed"],
    bytedance: [
      ...["sensitivecontentdetected", "inputtextsensitivecontentdetected", "inputtextriskdetection"],
      ...["outputtextsensitivecontentdetected", "outputtextriskdetection"],
    ],
    stepfun: ["censorship_blocked"],
    zai: ["1301"],
    others: ["content_moderation"],
  }).flat(),
);

/** The prompt failed a safety check, reported with a status that otherwise means our account. */
const FLAGGED_PHRASES = ["content violates usage guidelines", "failed check: safety_check"];

export function isOverflow({ codes, message, param }: ErrorBody, isAtLimit: boolean): boolean {
  if (says(codes, OVERFLOW_CODES) || mentions(message, OVERFLOW_PHRASES)) return true;
  if (says(codes, TEXT_CODES) && (param === null || PROMPT_FIELD.test(param))) return true;
  if (!isAtLimit && (says(codes, COUNT_CODES) || mentions(message, COUNT_PHRASES))) return true;
  return !OTHER_FIELD.test(message) && mentions(message, LENGTH_PHRASES);
}

export function isAboutOurAccount(body: ErrorBody): boolean {
  const { codes, message } = body;
  if (says(codes, ACCOUNT_CODES) || mentions(message, ACCOUNT_PHRASES)) return true;
  return isAboutModel(body) || WHOLE_ACCOUNT_MESSAGE.test(message);
}

function isAboutModel({ codes, message }: ErrorBody): boolean {
  return says(codes, MODEL_CODES) || mentions(message, MODEL_PHRASES);
}

/** What we asked for is not there, under the name that is configured: not a matter of our key. */
export function isAboutName(body: ErrorBody): boolean {
  return isAboutModel(body) || says(body.codes, ["not_found_error", "not_found"]);
}

/** Independent of the failure's kind: some providers report it as a rate limit, others as a rejected key. */
export function isAboutUnpaidAccount(status: number, { codes, message, status: named }: ErrorBody): boolean {
  if (status === PAYMENT_REQUIRED || named === PAYMENT_REQUIRED) return true;
  return says(codes, UNPAID_CODES) || mentions(message, UNPAID_PHRASES);
}

export function isAboutFlaggedPrompt(body: ErrorBody): boolean {
  return isAboutContent(body) || mentions(body.message, FLAGGED_PHRASES);
}

export function isAboutContent({ codes, isOfFlaggedPrompt }: ErrorBody): boolean {
  return isOfFlaggedPrompt || [...codes].some((code) => CONTENT_CODES.has(code.split(".", 1)[0] ?? code));
}

const KIND_OF_CODE: Readonly<Record<string, ProviderFailureKind>> = {
  invalid_request_error: "rejected",
  invalid_argument: "rejected",
  failed_precondition: "rejected",
  bad_request: "rejected",
  not_found_error: "unauthorized",
  not_found: "unauthorized",
  model_not_found: "unauthorized",
  rate_limit_error: "rate_limited",
  rate_limit_exceeded: "rate_limited",
  request_limit_exceeded: "rate_limited",
  insufficient_quota: "rate_limited",
  resource_exhausted: "rate_limited",
  deadline_exceeded: "timeout",
  timeout_error: "timeout",
};

/** For an error without a status of its own, inside a response that began with success. */
export function kindOfCodes(body: ErrorBody): ProviderFailureKind {
  if (isAboutContent(body)) return "rejected";
  for (const code of body.codes) {
    const kind = Object.hasOwn(KIND_OF_CODE, code) ? KIND_OF_CODE[code] : undefined;
    if (kind !== undefined) return kind;
  }
  return "unavailable";
}

/** Parts of codes and types by which servers admit that the fault is theirs. */
const SERVER_SIGNS = [
  "overloaded",
  "unavailable",
  "internal",
  "server_error",
  "api_error",
  "bad_gateway",
  "no_capacity",
];

export function isAboutServer({ codes }: ErrorBody): boolean {
  return [...codes].some((code) => SERVER_SIGNS.some((sign) => code.includes(sign)));
}

/** How a proxy reports that its connection to the provider broke or timed out; Google says the same of itself. */
const BROKEN_BEHIND =
  /tim(?:e|ed|es)[ _-]?out|deadline|first byte|backend (?:read|write|fetch)|reset (?:before headers|by peer|reason)|connection (?:was |has been )?(?:reset|closed|terminated)|prematurely closed|closed the connection|econnreset|socket hang up|unexpected eof|broken pipe|\bh1[23]\b/i;
/** The title of every Heroku error page, whatever happened. */
const TITLE_OF_ANY_BREAK = /^application error$/i;

/** Whether the call may have reached the provider behind the proxy that answered. */
export function isAboutBreakBehind({ codes, message, title }: ErrorBody): boolean {
  const said = [title, message.slice(0, 4_000), ...codes];
  return TITLE_OF_ANY_BREAK.test(title) || said.some((words) => BROKEN_BEHIND.test(words));
}

function says(codes: ReadonlySet<string>, known: readonly string[]): boolean {
  return known.some((code) => codes.has(code));
}

function mentions(message: string, phrases: readonly string[]): boolean {
  const text = message.slice(0, 4_000).toLowerCase();
  return phrases.some((phrase) => text.includes(phrase));
}
