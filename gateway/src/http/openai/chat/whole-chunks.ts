import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { closingMembers } from "./answer-chunks.ts";

/** One choice of a whole reply as chunks: the JSON members of those with its content, then of the one that ends it. */
type WholeChoice = {
  readonly index: number;
  readonly pieces: readonly string[];
  readonly closing: string;
};

/**
 * Splits a whole reply of this wire into chunks, for an upstream that was asked for a stream but replied in one piece,
 * and for a repeat whose answer was stored that way. Replies from upstream were repaired when they came. Fields beside
 * `choices` go on the first chunk of each choice.
 */
export function choicesOfWhole(whole: JsonObject): readonly WholeChoice[] {
  const { choices, ...extras } = whole;
  if (!Array.isArray(choices)) return [];
  return choices.filter(isObject).map((choice, at) => {
    const { message: given, index: named, logprobs = null, finish_reason: reason, ...more } = choice;
    const index = typeof named === "number" ? named : at;
    const { tool_calls: calls, ...words } = isObject(given) ? given : {};
    const first = { choices: [{ index, delta: words, logprobs, finish_reason: null, ...more }], ...extras };
    const fragments = Array.isArray(calls) ? calls.filter(isObject).flatMap(fragmentsOf) : [];
    const chunks = fragments.map((fragment) => ({
      choices: [{ index, delta: { tool_calls: [fragment] }, logprobs: null, finish_reason: null }],
    }));
    return {
      index,
      pieces: [first, ...chunks].map((chunk) => JSON.stringify(chunk).slice(1, -1)),
      closing: closingMembers(index, String(reason ?? "stop")),
    };
  });
}

/** In a stream, a call first gives its id and the name of its tool, then its arguments. */
function fragmentsOf(call: JsonObject, index: number): readonly JsonObject[] {
  const { type, function: work, custom } = call;
  const [kind, given, field] =
    type === "custom" ? ["custom", custom, "input"] : ["function", work, "arguments"];
  const { [field]: text, ...named } = isObject(given) ? given : {};
  const start = { index, ...call, [kind]: { ...named, [field]: "" } };
  return text === "" || text === undefined ? [start] : [start, { index, [kind]: { [field]: text } }];
}
