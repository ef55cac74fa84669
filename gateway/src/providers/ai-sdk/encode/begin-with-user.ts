import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/** For providers that want a user message first: an agent may greet first, or have lost the beginning. */
export function beginWithUser(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const at = beginningOf(prompt);
  if (prompt[at]?.role !== "assistant") return prompt;
  return prompt.toSpliced(at, 0, {
    role: "user",
    content: [{ type: "text", text: "(The conversation begins.)" }],
  });
}

/** Whether the model's first turn, before anything from the user, calls a tool. */
export function beginsWithCall(prompt: LanguageModelV4Prompt): boolean {
  const first = prompt[beginningOf(prompt)];
  return first?.role === "assistant" && first.content.some(({ type }) => type === "tool-call");
}

function beginningOf(prompt: LanguageModelV4Prompt): number {
  return prompt.findIndex(({ role }) => role !== "system");
}
