import { ProviderFailure } from "../contract.ts";
import { failureOf, sanitise } from "../outbound/index.ts";

const MOST_CAUSES = 8;
const UNREADABLE = "The model's provider sent an answer that could not be read.";

/** Whatever the library throws, as one of our failures. It is read by shape: packages bring copies of its classes. */
export function failureOfError(error: unknown): ProviderFailure {
  const own = ownFailure(error);
  if (own) return own;
  const { name, message, functionality } = fieldsOf(error);
  switch (name) {
    case "AI_APICallError":
      return failureOfReply(error);
    case "AI_UnsupportedFunctionalityError":
      return rejection(`${sentence(functionality ?? "this")} is not supported by this model.`);
    case "AI_InvalidPromptError":
    case "AI_InvalidArgumentError":
      return rejection(`This model does not take the request: ${sentence(message)}`);
    default:
      return new ProviderFailure("unavailable", UNREADABLE, { internal: `${name}: ${sentence(message)}` });
  }
}

/** An error that came inside the stream: the provider's own, or one of reading it. */
export function decodeErrorPart(error: unknown): ProviderFailure {
  const { statusCode, data } = fieldsOf(error);
  if (error instanceof Error || data === undefined) return failureOfError(error);
  return failureOf({
    status: typeof statusCode === "number" ? statusCode : 500,
    body: JSON.stringify({ error: data }),
  });
}

function failureOfReply(error: unknown): ProviderFailure {
  const { statusCode, responseBody, responseHeaders, message } = fieldsOf(error);
  // 200 means that reading the answer failed, none at all that the call did.
  if (typeof statusCode !== "number" || statusCode < 300) {
    return new ProviderFailure("unavailable", UNREADABLE, { internal: sentence(message) });
  }
  return failureOf({
    status: statusCode,
    body: typeof responseBody === "string" ? responseBody : "",
    headers: new Headers(isRecord(responseHeaders) ? (responseHeaders as Record<string, string>) : {}),
  });
}

/** The outbound fetch fails with ours already; the library wraps it once or twice. */
function ownFailure(error: unknown): ProviderFailure | null {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    if (current instanceof ProviderFailure) return current;
    current = current.cause;
  }
  return null;
}

function rejection(text: string): ProviderFailure {
  return new ProviderFailure("rejected", sanitise(text));
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
