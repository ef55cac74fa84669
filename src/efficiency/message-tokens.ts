import type { ChatMessage } from "../providers/index.ts";
import { estimateTokens } from "./tokens/estimate.ts";

/** The tokens of all texts of a message, text by text: what one of them is shortened by, the message is. */
export function messageTokens(message: ChatMessage): number {
  const { content } = message;
  let tokens = 0;
  if (typeof content === "string") tokens += estimateTokens(content);
  else if (content !== null) {
    for (const part of content) if (part.type === "text") tokens += estimateTokens(part.text);
  }
  if (message.role !== "assistant") return tokens;
  for (const call of message.toolCalls ?? []) {
    tokens += estimateTokens(call.name) + estimateTokens(call.arguments);
  }
  for (const { text } of message.reasoning ?? []) tokens += estimateTokens(text);
  return tokens;
}
