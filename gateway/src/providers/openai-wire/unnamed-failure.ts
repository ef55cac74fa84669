import type { ProviderFailure } from "../../contract/index.ts";
import { isObject } from "../../kit/index.ts";
import { fieldsOf, textOf } from "../../wires/index.ts";
import { wireFailure } from "./wire-failure.ts";

/** Codes that mean success, or nothing. */
const GOOD: ReadonlySet<string> = new Set(["", "0", "ok", "success"]);

/** MiniMax's codes for what others report by status; for all its other codes only the message counts. */
const STATUS_OF: ReadonlyMap<unknown, number> = new Map([
  [1002, 429],
  [1039, 429],
  [1041, 429],
  [2045, 429],
  [2056, 429],
  [1004, 401],
  [2049, 401],
  [1008, 402],
  [1026, 400],
  [1027, 400],
  [1042, 400],
  [2013, 400],
]);

/** MiniMax's codes for sensitive input and sensitive output. */
const OF_CONTENT: ReadonlySet<unknown> = new Set([1026, 1027]);

/**
 * A failure that some servers report in place of an answer, with a 200 and without an `error` field: a code beside a
 * message, a status of their own, a list of errors. Null if there is none.
 */
export function unnamedFailure(said: unknown, secrets: readonly string[]): ProviderFailure | null {
  if (Array.isArray(said)) {
    const holder = said.find((each) => isObject(each) && each["error"]);
    return holder === undefined ? null : wireFailure(fieldsOf(holder)["error"], secrets);
  }
  const { base_resp: own, message, code, error_code: word, usage, choices } = fieldsOf(said);
  const { status_code: status, status_msg: words } = fieldsOf(own);
  const type = OF_CONTENT.has(status) ? "content_filter" : undefined;
  if (!isGood(status)) return wireFailure({ message: words, code: STATUS_OF.get(status), type }, secrets);
  // A list of choices means that an answer is under way.
  const isOfAnswer = Boolean(usage) || Array.isArray(choices);
  const isError = textOf(message) !== "" && !(isGood(code) && isGood(word)) && !isOfAnswer;
  return isError ? wireFailure(said, secrets) : null;
}

/** True also for a status below 400, and for anything that is no code. */
function isGood(code: unknown): boolean {
  if (typeof code !== "string" && typeof code !== "number") return true;
  const isStatusBelow = Number(code) >= 100 && Number(code) < 400;
  return isStatusBelow || GOOD.has(String(code).toLowerCase());
}
