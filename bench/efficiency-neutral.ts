import type { ChatMessage } from "../gateway/src/contract/index.ts";
import { type CorpusMessage, textsOf } from "./efficiency-corpus.ts";

export function neutralOf(message: CorpusMessage): ChatMessage {
  const content = typeof message.content === "string" ? message.content : textsOf(message).join("\n");
  if (message.role === "tool") return { role: "tool", toolCallId: message.tool_call_id ?? "", content };
  if (message.role !== "assistant") return { role: message.role, content };
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
    id,
    name,
    arguments: json,
  }));
  return { role: "assistant", content: message.content === null ? null : content, toolCalls };
}
