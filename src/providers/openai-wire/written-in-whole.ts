import { argumentsOf } from "./decode-calls.ts";
import { type Fields, textOf } from "./wire-fields.ts";

/**
 * What the model wrote in a whole reply, repaired, of either wire: text, reasoning, refusals, names and arguments of
 * calls, for our own count of tokens. Nobody needs it where the provider's count can be believed, so it is found here
 * afterwards and not told with every reply.
 */
export function writtenInWhole({ choices, output }: Fields): string {
  const answers = listOf(choices).map(({ message }) => writtenInMessage((message ?? {}) as Fields));
  const items = listOf(output).map(writtenInItem);
  return answers.join("") + items.join("");
}

/** A call's name and what it gives its tool, which goes by several names. */
export function writtenInCall(call: unknown): string {
  const { name, arguments: json, input, action, operation } = (call ?? {}) as Fields;
  return [name, json, input, action, operation].map(argumentsOf).join("");
}

function writtenInMessage(message: Fields): string {
  const { reasoning_content: thought, content, refusal, tool_calls: calls, function_call: single } = message;
  const called = listOf(calls).map((call) => writtenInCall(call["function"] ?? call["custom"]));
  return [thought, content, refusal].map(textOf).join("") + called.join("") + writtenInCall(single);
}

function writtenInItem(item: Fields): string {
  const { summary, content } = item;
  return writtenInParts(summary) + writtenInParts(content) + writtenInCall(item);
}

function writtenInParts(given: unknown): string {
  if (typeof given === "string") return given;
  return listOf(given)
    .map(({ text, refusal }) => textOf(text) + textOf(refusal))
    .join("");
}

function listOf(given: unknown): readonly Fields[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === "object" && each !== null) : [];
}
