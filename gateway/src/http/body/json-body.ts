import { AppError, echoed, finishSteps, invalid, type Steps } from "../../kit/index.ts";
import { keepExactNumbers } from "./exact-numbers.ts";
import { findJsonFault, findRepeatedKey } from "./json-fault.ts";
import {
  type JsonFault,
  type JsonRefusal,
  jsonSteps,
  MAX_BACKSLASHES,
  MAX_JSON_KEYS,
  MAX_JSON_VALUES,
} from "./json-guard.ts";
import { keepWrittenParts } from "./written-parts.ts";

const MESSAGES: Readonly<Record<JsonRefusal, string>> = {
  not_utf8: "must be UTF-8",
  byte_order_mark: "must begin with JSON, not with a byte order mark",
  too_deep: "must not be nested deeper than the limit of",
  too_many_keys: `must have at most ${MAX_JSON_KEYS} keys in all its objects; one that is a number counts as four`,
  too_many_values: `must have at most ${MAX_JSON_VALUES} values; a number of 16 digits or more counts as one for every four of them`,
  too_many_backslashes: `must have at most ${MAX_BACKSLASHES} backslashes; characters other than quotes, backslashes and control characters need none in JSON`,
  syntax: "must be valid JSON",
  duplicate_key: "must not repeat a key within an object",
  nul: "must not contain the character NUL (\\u0000)",
  lone_surrogate: "must not contain half of a surrogate pair",
};
const GIVEN_TWICE = "must not be given twice in one object";
/** Deeper places are named by their beginning. */
const MAX_NAMED_STEPS = 8;

export function decodeJson(bytes: Uint8Array, maxDepth: number, repair?: (value: unknown) => void): unknown {
  return finishSteps(bodySteps(bytes, maxDepth, repair));
}

/** The same in steps. */
export function* bodySteps(
  bytes: Uint8Array,
  maxDepth: number,
  repair?: (value: unknown) => void,
): Steps<unknown> {
  const reading = yield* jsonSteps(bytes, maxDepth, repair);
  yield;
  if (reading.ok) {
    const { value, longNumbers, places } = reading;
    if (longNumbers !== undefined) keepExactNumbers(value, longNumbers);
    if (places.length > 0) keepWrittenParts(value, bytes, places);
    return value;
  }
  const { refusal } = reading;
  const place = placeOf(reading, bytes);
  if (place !== "") throw invalid(place, refusal === "duplicate_key" ? GIVEN_TWICE : MESSAGES[refusal]);
  throw new AppError("validation_error", `body: ${messageOf(refusal, bytes, maxDepth)}`);
}

/** As in `messages[0].content`; empty if it is not known, or if the whole body is one text. */
function placeOf({ refusal, place = [] }: JsonFault, bytes: Uint8Array): string {
  const steps = refusal === "duplicate_key" ? findRepeatedKey(new TextDecoder().decode(bytes)) : place;
  const named = (steps ?? [])
    .slice(0, MAX_NAMED_STEPS)
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${echoed(step)}`));
  return named.join("").replace(/^\./, "");
}

function messageOf(refusal: JsonRefusal, bytes: Uint8Array, maxDepth: number): string {
  const message = MESSAGES[refusal];
  if (refusal === "too_deep") return `${message} ${maxDepth} levels`;
  return refusal === "syntax" ? `${message}${whereOf(new TextDecoder().decode(bytes))}` : message;
}

/** Line and column, counted as editors do. */
function whereOf(text: string): string {
  if (text.trim() === "") return "; it is empty";
  const at = findJsonFault(text);
  if (at === null) return "";
  if (at === text.length) return "; it ends too early";
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return `; error at line ${line}, column ${at - before.lastIndexOf("\n")}`;
}

/** Compressed bodies are refused, so that a small body can never become a large one here. */
export function checkContentType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== "application/json" && !isJsonType(type)) {
    throw new AppError("validation_error", "Content-Type: must be application/json in UTF-8", {
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

const MAX_TYPE_CHARS = 200;
/** UTF-8 under its usual names, and ASCII, which is a subset of it. */
const UTF_8 = /^"?(?:utf-?8|us-ascii)"?$/i;

/** Parameters mean nothing to JSON, but a body that is declared as anything other than UTF-8 must not be misread. */
function isJsonType(type: string | null): boolean {
  // A comma separates two types, and it is unclear which one applies.
  if (type === null || type.length > MAX_TYPE_CHARS || type.includes(",")) return false;
  const [essence = "", ...parameters] = type.split(";");
  if (essence.trim().toLowerCase() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2);
    return name.trim().toLowerCase() !== "charset" || UTF_8.test(value.trim());
  });
}
