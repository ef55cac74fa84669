import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { UserPart } from "./encode-content.ts";
import type { ResultPart } from "./encode-result.ts";

/**
 * The same conversation without calls, for a provider that takes them only beside tools: the library would leave them out
 * there, results included. Each result is the user's to tell, with the call that it answers; words for a call in the
 * model's own mouth would teach it to write such words in place of calls.
 */
export function callsInWords(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const inputs = new Map<string, unknown>();
  return prompt.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "assistant") {
      const calls = message.content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return [message];
      for (const { toolCallId, input } of calls) inputs.set(toolCallId, input);
      // What was thought before a call goes with it: the provider compares the turn with what it signed.
      const content = message.content.filter((part) => part.type === "text");
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    if (message.role !== "tool") return [message];
    const content = message.content.flatMap((part) =>
      part.type === "tool-result" ? resultInWords(part, inputs.get(part.toolCallId)) : [],
    );
    return [{ role: "user", content }];
  });
}

function resultInWords({ toolName, output, providerOptions }: ResultPart, input: unknown): UserPart[] {
  const parts = output.type === "content" ? output.value : [];
  const text = parts.find((part) => part.type === "text")?.text ?? ("value" in output ? output.value : "");
  const words = `Result of the tool ${toolName}, called with ${JSON.stringify(input)}:\n${String(text)}`;
  const told: UserPart[] = [{ type: "text", text: words }, ...parts.filter((part) => part.type === "file")];
  const last = told.at(-1);
  if (last !== undefined && providerOptions !== undefined) last.providerOptions = providerOptions;
  return told;
}
