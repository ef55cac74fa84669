import { z } from "zod";
import { misused } from "./cli-error.ts";
import { itemsShape, messagesOf } from "./efficiency-items.ts";
import { contentOf, contentShape, type PreviewMessage, wordsOf } from "./efficiency-parts.ts";

const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: contentShape,
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().nullish(),
});
const file = z.union([z.array(message), z.object({ messages: z.array(message) }), itemsShape]);

/** An array of messages, or the body of a chat call of either interface, or of a response. */
export function decodeMessages(json: string, name: string): PreviewMessage[] {
  const parsed = file.safeParse(parse(json, name));
  if (!parsed.success) {
    throw misused(`${name} holds no messages: an array of them is wanted, or the body of a call.`);
  }
  if (Array.isArray(parsed.data)) return parsed.data.map(decodeMessage);
  return "messages" in parsed.data ? parsed.data.messages.map(decodeMessage) : messagesOf(parsed.data);
}

function parse(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw misused(`${name} is not JSON.`);
  }
}

function decodeMessage({ role, content, tool_calls, tool_call_id }: z.infer<typeof message>): PreviewMessage {
  if (role === "tool") return { role, toolCallId: tool_call_id ?? "", content: contentOf(content) };
  if (role === "user") return { role, content: contentOf(content) };
  const text = wordsOf(content);
  if (role !== "assistant") return { role, content: text };
  const toolCalls = (tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
    id,
    name,
    arguments: json,
  }));
  return { role, content: content === null ? null : text, toolCalls };
}

/** As chat completions say it: what a client would have sent to get the same without us. */
export function encodeMessage(message: PreviewMessage): Record<string, unknown> {
  const { role, content } = message;
  if (role === "tool") return { role, tool_call_id: message.toolCallId, content };
  if (role !== "assistant") return { role, content };
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: json }) => ({
    id,
    type: "function",
    function: { name, arguments: json },
  }));
  return calls.length === 0 ? { role, content } : { role, content, tool_calls: calls };
}

/** All texts of a message, for people. */
export function textOf({ content }: PreviewMessage): string {
  if (typeof content === "string" || content === null) return content ?? "";
  return content.map((one) => (one.type === "text" ? one.text : `(${one.type})`)).join("\n");
}
