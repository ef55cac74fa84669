import { argumentsOf, type Fields, fieldsOf, isFields, textOf } from "./wire-fields.ts";

/**
 * Everything that the model wrote in a repaired whole reply of either wire: text, reasoning, refusals, names and
 * arguments of calls; for our own token count. It is needed only if the provider's count cannot be believed, so it is
 * collected here afterwards and not with every reply.
 */
export function writtenInWhole({ choices, output }: Fields): string {
  const answers = listOf(choices).map(({ message }) => writtenInMessage(fieldsOf(message)));
  const items = listOf(output).map(writtenInItem);
  return answers.join("") + items.join("");
}

/** A call's name and its arguments, which have several names. */
export function writtenInCall(call: unknown): string {
  const { name, arguments: json, input, action, operation, code } = (call ?? {}) as Fields;
  return [name, json, input, action, operation, code].map(argumentsOf).join("");
}

/** Reasoning in fields that only some servers have, which reach the client unchanged. */
export function reasoningElsewhere({ thinking, thinking_blocks: blocks }: Fields): string {
  if (typeof thinking === "string") return thinking;
  return listOf(blocks)
    .map((block) => textOf(block["thinking"]))
    .join("");
}

/** The transcript of a spoken answer. */
export function spokenText({ audio }: Fields): string {
  return textOf(fieldsOf(audio)["transcript"]);
}

function writtenInMessage(message: Fields): string {
  const { reasoning_content: told, content, refusal, tool_calls: calls, function_call: single } = message;
  const thought = textOf(told) || reasoningElsewhere(message);
  const called = listOf(calls).map((call) => writtenInCall(call["function"] ?? call["custom"]));
  const said = textOf(content) + textOf(refusal) + spokenText(message);
  return thought + said + called.join("") + writtenInCall(single);
}

/** The same for an item of a response. */
export function writtenInItem(item: Fields): string {
  const { type, summary, content, action } = item;
  const called = type === "web_search_call" ? searchedFor(action) : writtenInCall(item);
  return writtenInParts(summary) + writtenInParts(content) + called;
}

/** Only what was searched for: the model did not write the results. */
function searchedFor(action: unknown): string {
  const { query, queries, url } = fieldsOf(action);
  const all = new Set([query, ...(Array.isArray(queries) ? queries : []), url].map(textOf));
  return [...all].join("");
}

function writtenInParts(given: unknown): string {
  if (typeof given === "string") return given;
  return listOf(given)
    .map(({ text, refusal }) => textOf(text) + textOf(refusal))
    .join("");
}

function listOf(given: unknown): readonly Fields[] {
  return Array.isArray(given) ? given.filter(isFields) : [];
}
