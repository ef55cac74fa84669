import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { fillBlankMessages, isBlank } from "./blank-messages.ts";

/**
 * Blank text in a message, and for some models in a tool result, makes the provider refuse this and every following
 * call. Blank text of the model itself stays: the library knows where the provider accepts it.
 */
export function fillBlanks(prompt: LanguageModelV4Prompt): void {
  fillBlankMessages(prompt);
  for (const message of prompt) {
    if (message.role === "tool") for (const part of message.content) fillResult(part);
  }
}

type ToolPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

function fillResult(part: ToolPart): void {
  if (part.type !== "tool-result") return;
  const { output } = part;
  // A result with files already has text.
  if (output.type === "text" && isBlank(output.value)) output.value = "(no output)";
}
