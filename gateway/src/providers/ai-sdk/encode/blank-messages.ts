import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

type UserParts = Extract<LanguageModelV4Message, { role: "user" }>["content"];

/** For providers that refuse a call without any text of the user, such as one of instructions alone. */
export function fillBlankMessages(prompt: LanguageModelV4Prompt): void {
  for (const { role, content } of prompt) if (role === "user") fillTexts(content);
}

function fillTexts(parts: UserParts): void {
  for (const part of parts) if (part.type === "text" && isBlank(part.text)) part.text = "(no message)";
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}
