import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { UserPart } from "./encode-content.ts";
import type { ResultPart } from "./encode-result.ts";

/**
 * The conversation without tool calls, for a provider that accepts them only if the request has tools; otherwise the
 * library would drop them, results included. Each result becomes user text that describes its call. It is not put into
 * the assistant's text, which would teach the model to write such text instead of calling tools.
 */
export function callsAsText(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const inputs = new Map<string, unknown>();
  return prompt.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "assistant") {
      const calls = message.content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return [message];
      for (const { toolCallId, input } of calls) inputs.set(toolCallId, input);
      // Reasoning before a call is dropped with it: the provider compares the turn with what it signed.
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
