import type { ChatMessage } from "../providers/index.ts";

/** How long all texts of the messages are: what no estimate can be argued out of. */
export function messageCharacters(messages: readonly ChatMessage[]): number {
  let characters = 0;
  for (const message of messages) {
    const { content } = message;
    if (typeof content === "string") characters += content.length;
    else for (const part of content ?? []) if (part.type === "text") characters += part.text.length;
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls ?? []) characters += call.name.length + call.arguments.length;
    for (const { text } of message.reasoning ?? []) characters += text.length;
  }
  return characters;
}
