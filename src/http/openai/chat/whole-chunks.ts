import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { closingMembers } from "./answer-chunks.ts";

/** The members of the chunks that say one choice of a whole reply: all of it, then its end. */
type WholeChoice = {
  readonly index: number;
  readonly pieces: readonly string[];
  readonly closing: string;
};

/**
 * A reply of this wire as a stream of it, for a repeat of a call whose answer was kept in one piece. What came from
 * upstream was repaired when it came; what it says beside its choices stands on the first chunk of each.
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

/** In a stream a call first says which one it is and of what, then what it is given. */
function fragmentsOf(call: JsonObject, index: number): readonly JsonObject[] {
  const { type, function: work, custom } = call;
  const [kind, given, field] =
    type === "custom" ? ["custom", custom, "input"] : ["function", work, "arguments"];
  const { [field]: text, ...named } = isObject(given) ? given : {};
  const start = { index, ...call, [kind]: { ...named, [field]: "" } };
  return text === "" || text === undefined ? [start] : [start, { index, [kind]: { [field]: text } }];
}
