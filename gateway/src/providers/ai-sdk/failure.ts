import { ProviderFailure, unreadableAnswer } from "../../contract/index.ts";
import { EXCESS, failureOf, sanitise } from "../../outbound/index.ts";

const MOST_CAUSES = 8;
/** What an error name looks like; no name of ours or of the library is longer. */
const NAME = /^[A-Za-z_$]{1,64}$/;

/**
 * Converts anything the library throws into one of our failures. Errors are recognised by shape, because packages bring
 * their own copies of the classes. `secrets` are those of the provider: an error inside a successful response may
 * repeat them.
 */
export function failureOfError(error: unknown, secrets: readonly string[]): ProviderFailure {
  const own = causesOf(error).find((cause) => cause instanceof ProviderFailure);
  if (own !== undefined) return own;
  const { name, message, functionality } = fieldsOf(error);
  switch (name) {
    case "AI_APICallError":
      return failureOfReply(error, secrets);
    case "AI_UnsupportedFunctionalityError":
      return rejection(`${sentence(functionality ?? "this")} is not supported by this model.`, secrets);
    case "AI_InvalidPromptError":
    case "AI_InvalidArgumentError":
      return rejection(`This model does not take the request: ${sentence(message)}`, secrets);
    default:
      return unreadable(error);
  }
}

/** An error inside the stream: the provider's own, or one of reading it. */
export function decodeErrorPart(error: unknown, secrets: readonly string[]): ProviderFailure {
  const { statusCode, data } = fieldsOf(error);
  if (error instanceof Error || data === undefined) return failureOfError(error, secrets);
  return failureOf({
    status: typeof statusCode === "number" ? statusCode : 500,
    body: JSON.stringify({ error: data }),
    secrets,
  });
}

/** The event that the library could parse but does not know; undefined for any other error. */
export function unreadValue(error: unknown): unknown {
  const { name, value } = fieldsOf(error);
  return error instanceof Error && name === "AI_TypeValidationError" ? value : undefined;
}

function failureOfReply(error: unknown, secrets: readonly string[]): ProviderFailure {
  const { statusCode, responseBody, responseHeaders } = fieldsOf(error);
  // 200 means that reading the answer failed; no status means that the call failed.
  if (typeof statusCode !== "number") return unreadable(error);
  if (statusCode < 300) return unreadable(error, statusCode);
  return failureOf({
    status: statusCode,
    body: typeof responseBody === "string" ? responseBody : "",
    headers: new Headers(isRecord(responseHeaders) ? (responseHeaders as Record<string, string>) : {}),
    secrets,
  });
}

/** The error and its causes. The outbound fetch throws our own failures, which the library wraps once or twice. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < MOST_CAUSES; each = each.cause) {
    causes.push(each);
  }
  return causes;
}

function unreadable(error: unknown, status?: number): ProviderFailure {
  const names = namesOf(error);
  const isAnswered = names.some((name) => OF_ANSWERS.has(name));
  const said = names.join(", ") || "an error without a name";
  const internal = status === undefined ? said : `${status} ${said}`;
  return unreadableAnswer(internal, isAnswered ? { targetHealth: "up" } : {});
}

/** For an answer too large to be passed to the library; it is the caller who asked for so much. */
export function excessFailure(internal: string): ProviderFailure {
  return unreadableAnswer(internal, EXCESS);
}

/** The library's errors for an answer that it parsed but that has unexpected content. */
const OF_ANSWERS: ReadonlySet<string> = new Set(["AI_TypeValidationError", "AI_InvalidResponseDataError"]);

/** For the log. Only names, because the messages of the library's errors quote model output. */
function namesOf(error: unknown): readonly string[] {
  const names = causesOf(error).map(({ name }) => name);
  return names.filter((name) => NAME.test(name));
}

function rejection(text: string, secrets: readonly string[]): ProviderFailure {
  return new ProviderFailure("rejected", sanitise(text, secrets));
}

function sentence(value: unknown): string {
  return String(value ?? "").slice(0, 200);
}

function fieldsOf(error: unknown): Record<string, unknown> {
  return isRecord(error) ? error : { message: error };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
