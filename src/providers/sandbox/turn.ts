import type { ChatMessage } from "../contract.ts";

export type ToolResult = { readonly name: string; readonly text: string };

/** All that the engine reads of a conversation: an agent's long system prompt does no harm here. */
export type Turn = {
  /** The last user message, its text parts joined by line breaks; empty when there is none. */
  readonly text: string;
  readonly attachments: number;
  /** What tools answered after that message and after the assistant's last word. */
  readonly toolResults: readonly ToolResult[];
};

export function readTurn(messages: readonly ChatMessage[]): Turn {
  const user = messages.findLast((message) => message.role === "user");
  const toolResults = readToolResults(messages);
  if (user === undefined) return { text: "", attachments: 0, toolResults };
  if (typeof user.content === "string") return { text: user.content, attachments: 0, toolResults };
  const texts = user.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { text: texts.join("\n"), attachments: user.content.length - texts.length, toolResults };
}

/** The run of tool messages at the very end; older results were answered already. */
function readToolResults(messages: readonly ChatMessage[]): ToolResult[] {
  let start = messages.length;
  while (start > 0 && messages[start - 1]?.role === "tool") start--;
  const asker = messages[start - 1];
  const calls = asker?.role === "assistant" ? (asker.toolCalls ?? []) : [];
  return messages.slice(start).flatMap((message) => {
    if (message.role !== "tool") return [];
    const name = calls.find((call) => call.id === message.toolCallId)?.name ?? "the tool";
    const { content } = message;
    return [
      { name, text: typeof content === "string" ? content : content.map((part) => part.text).join("\n") },
    ];
  });
}
