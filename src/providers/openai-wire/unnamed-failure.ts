import { isObject } from "../../kit/index.ts";
import type { ProviderFailure } from "../contract.ts";
import { wireFailure } from "./wire-failure.ts";
import { fieldsOf, textOf } from "./wire-fields.ts";

/** Codes that say that all is well, or nothing. */
const GOOD: ReadonlySet<string> = new Set(["", "0", "ok", "success"]);

/** MiniMax's numbers for what others say with a status; of any other one it says no more than its words. */
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
  [1042, 400],
  [2013, 400],
]);

/**
 * What some servers say in place of an answer, with a 200 and without calling it an error: a code beside a message, a
 * status of their own, a list of errors. Null where nothing of it is one.
 */
export function unnamedFailure(said: unknown, secrets: readonly string[]): ProviderFailure | null {
  if (Array.isArray(said)) {
    const holder = said.find((each) => isObject(each) && each["error"]);
    return holder === undefined ? null : wireFailure(fieldsOf(holder)["error"], secrets);
  }
  const { base_resp: own, message, code, error_code: word, usage, choices } = fieldsOf(said);
  const { status_code: status, status_msg: words } = fieldsOf(own);
  if (!isGood(status)) return wireFailure({ message: words, code: STATUS_OF.get(status) }, secrets);
  // Who has a list of choices speaks of an answer that is on its way.
  const isOfAnswer = Boolean(usage) || Array.isArray(choices);
  const isError = textOf(message) !== "" && !(isGood(code) && isGood(word)) && !isOfAnswer;
  return isError ? wireFailure(said, secrets) : null;
}

/** Also a status that is none of an error, and what is no code at all. */
function isGood(code: unknown): boolean {
  if (typeof code !== "string" && typeof code !== "number") return true;
  const isStatusBelow = Number(code) >= 100 && Number(code) < 400;
  return isStatusBelow || GOOD.has(String(code).toLowerCase());
}
