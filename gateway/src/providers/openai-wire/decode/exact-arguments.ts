import { isObject, mayHaveLongNumber, parseExactly, parseForeignJson } from "../../../kit/index.ts";
import { fieldsOf } from "../../../wires/index.ts";
import { unreadable } from "./decode-chunk.ts";

/** Arguments sent as an object instead of a string, which few servers do. */
const OBJECT_ARGUMENTS = /"arguments"\s*:\s*\{/;

/**
 * For a chat completion, which repeats nothing of its request. Keys of log probabilities do not count, and an answer is
 * read and written several times on its way.
 */
export const MOST_CHAT_KEYS = 50_000;

/** Parses what a server sent, with the exact numbers in its calls. `what` names it for the log. */
export function parseAnswer(text: string, what: string, mostKeys?: number): unknown {
  try {
    return withExactArguments(parseForeignJson(text, mostKeys), text);
  } catch (error) {
    throw unreadable(`${what} that is no JSON`, error);
  }
}

/**
 * Restores the exact numbers in arguments that came as an object: they become text again, in which long ids must be as
 * the model wrote them.
 */
function withExactArguments(chunk: unknown, text: string): unknown {
  if (!OBJECT_ARGUMENTS.test(text) || !mayHaveLongNumber(text)) return chunk;
  const exact = parseExactly(text);
  for (const [at, choice] of choicesOf(chunk).entries()) {
    for (const name of ["message", "delta"]) {
      const said = isObject(choice) ? choice[name] : null;
      const exactly = choicesOf(exact)[at];
      const exactlySaid = isObject(exactly) ? exactly[name] : null;
      if (!isObject(said) || !isObject(exactlySaid)) continue;
      for (const calls of ["tool_calls", "function_call"]) {
        if (calls in said) said[calls] = exactlySaid[calls];
      }
    }
  }
  const exactItems = itemsIn(exact);
  for (const [at, item] of itemsIn(chunk).entries()) {
    if (isObject(item) && isObject(item["arguments"]))
      item["arguments"] = fieldsOf(exactItems[at])["arguments"];
  }
  return chunk;
}

/** Where a response, or an event of one, can have arguments: in its items, or in the event itself. */
function itemsIn(chunk: unknown): readonly unknown[] {
  if (!isObject(chunk)) return [];
  const { item, output, response } = chunk;
  return [chunk, item, ...listOf(output), ...listOf(fieldsOf(response)["output"])];
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

function choicesOf(chunk: unknown): readonly unknown[] {
  return listOf(fieldsOf(chunk)["choices"]);
}
