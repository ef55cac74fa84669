import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * A blank text is refused in a message, and by some models in a tool's result, with every call that follows. What the
 * model itself left blank stays: the library knows where the provider takes it.
 */
export function fillBlanks(prompt: LanguageModelV4Prompt): void {
  for (const message of prompt) {
    if (message.role === "user") fillTexts(message.content);
    else if (message.role === "tool") for (const part of message.content) fillResult(part);
  }
}

type UserParts = Extract<LanguageModelV4Message, { role: "user" }>["content"];
type ToolPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

function fillResult(part: ToolPart): void {
  if (part.type !== "tool-result") return;
  const { output } = part;
  // One with files has words already.
  if (output.type === "text" && isBlank(output.value)) output.value = "(no output)";
}

function fillTexts(parts: UserParts): void {
  for (const part of parts) if (part.type === "text" && isBlank(part.text)) part.text = "(no message)";
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** "A conversation must start with a user message": that of an agent that greets, or lost its beginning, does not. */
export function beginWithUser(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const at = prompt.findIndex(({ role }) => role !== "system");
  if (prompt[at]?.role !== "assistant") return prompt;
  return prompt.toSpliced(at, 0, {
    role: "user",
    content: [{ type: "text", text: "(The conversation begins.)" }],
  });
}
