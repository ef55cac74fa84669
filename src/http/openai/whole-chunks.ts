import { closingMembers } from "./answer-chunks.ts";
import { isObject, type JsonObject } from "./json-fields.ts";

/** The members of the two chunks that say one choice of a whole reply: all of it, then its end. */
export type WholeChoice = { readonly index: number; readonly answer: string; readonly closing: string };

/**
 * A reply of this wire as a stream of it, for a repeat of a call whose answer was kept in one piece. What came from
 * upstream was repaired when it came.
 */
export function choicesOfWhole(whole: JsonObject): readonly WholeChoice[] {
  const { choices } = whole;
  if (!Array.isArray(choices)) return [];
  return choices.filter(isObject).map((choice, at) => {
    const { message, logprobs = null, finish_reason: reason } = choice;
    const index = typeof choice["index"] === "number" ? choice["index"] : at;
    const delta = isObject(message) ? deltaOf(message) : {};
    const answer = JSON.stringify({ choices: [{ index, delta, logprobs, finish_reason: null }] });
    return { index, answer: answer.slice(1, -1), closing: closingMembers(index, String(reason ?? "stop")) };
  });
}

/** In a stream every tool call says which one it is. */
function deltaOf(message: JsonObject): JsonObject {
  const { tool_calls: calls, ...rest } = message;
  if (!Array.isArray(calls)) return rest;
  return {
    ...rest,
    tool_calls: calls.map((call: unknown, index) => ({ index, ...(isObject(call) ? call : {}) })),
  };
}
