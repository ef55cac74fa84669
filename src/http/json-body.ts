import { AppError } from "../kit/index.ts";
import { type JsonRefusal, MAX_JSON_KEYS, MAX_JSON_VALUES, readJson } from "./json-guard.ts";

const MESSAGES: Readonly<Record<JsonRefusal, string>> = {
  not_utf8: "body: must be UTF-8",
  byte_order_mark: "body: must begin with JSON, not with a byte order mark",
  too_deep: "body: must not be nested deeper than the limit of",
  too_many_keys: `body: must have at most ${MAX_JSON_KEYS} keys in all its objects`,
  too_many_values: `body: must have at most ${MAX_JSON_VALUES} values`,
  syntax: "body: must be valid JSON",
  duplicate_key: "body: must not repeat a key within an object",
  nul: "body: must not contain the character NUL (\\u0000)",
  lone_surrogate: "body: must not contain half of a surrogate pair",
};

export function decodeJson(bytes: Uint8Array, maxDepth: number): unknown {
  const reading = readJson(bytes, maxDepth);
  if (reading.ok) return reading.value;
  const message = MESSAGES[reading.refusal];
  throw new AppError(
    "validation_error",
    reading.refusal === "too_deep" ? `${message} ${maxDepth} levels` : message,
  );
}

/** Compressed bodies are refused, so that a small one can never become a large one here. */
export function checkContentType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== "application/json" && !isJsonType(type)) {
    throw new AppError("validation_error", "Content-Type: must be application/json", {
      status: 415,
      field: "Content-Type",
    });
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new AppError("validation_error", "Content-Encoding: must be absent or identity", {
      status: 415,
      field: "Content-Encoding",
    });
  }
}

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?;?$/i;
const MAX_TYPE_CHARS = 100;

function isJsonType(type: string | null): boolean {
  return type !== null && type.length <= MAX_TYPE_CHARS && JSON_TYPE.test(type);
}
