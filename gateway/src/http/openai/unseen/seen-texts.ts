import type { Tool } from "../../../contract/index.ts";
import { type SentPrompt, unsentReasoning } from "../../../generation/index.ts";
import { visitTexts } from "../../../kit/index.ts";

/** Visits the texts of a prompt that our own count includes and that were sent, each as often as it is counted. */
export function visitSeenTexts(
  { body, messages }: SentPrompt,
  tools: readonly Tool[],
  visit: (text: string) => void,
): void {
  for (const { name, description, parameters } of tools) visitTexts([name, description, parameters], visit);
  // Unsent reasoning is subtracted from the count: if the same text was sent, then as something else.
  const unsent = new Set(unsentReasoning(messages, body));
  for (const message of messages) {
    visitTexts(message.content, visit);
    if (message.role !== "assistant") continue;
    for (const { name, arguments: given } of message.toolCalls ?? []) visitTexts([name, given], visit);
    const thoughts = (message.reasoning ?? []).filter((part) => !unsent.has(part)).map(({ text }) => text);
    // Most servers take the reasoning of a turn as one text.
    for (const text of new Set([...thoughts, thoughts.join("")])) visit(text);
  }
}
