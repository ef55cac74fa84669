import { z } from "zod";
import { contentOf, contentShape, type PreviewMessage, wordsOf } from "./efficiency-parts.ts";

const spoken = z.object({
  type: z.literal("message").optional(),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: contentShape,
});
const call = z.object({
  type: z.enum(["function_call", "custom_tool_call"]),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string().optional(),
  input: z.string().optional(),
});
const result = z.object({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  call_id: z.string(),
  output: contentShape,
});
const thought = z.object({
  type: z.literal("reasoning"),
  summary: z.array(z.object({ text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
});
/** Nothing of these is seen here. */
const other = z.object({ type: z.string() });
const item = z.union([spoken, call, result, thought, other]);

/** The body of a response. */
export const itemsShape = z.object({
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
});

type Item = z.infer<typeof item>;
type Assistant = Extract<PreviewMessage, { role: "assistant" }>;

/** What a model thinks, says and calls in one turn comes as several items, and is one message. */
export function messagesOf({ instructions, input }: z.infer<typeof itemsShape>): PreviewMessage[] {
  const messages: PreviewMessage[] = [];
  let turn: Assistant | null = null;
  const add = (message: PreviewMessage) => {
    turn = null;
    messages.push(message);
  };
  const extend = (more: (open: Assistant) => Partial<Assistant>) => {
    const open: Assistant = turn ?? { role: "assistant", content: null };
    if (turn !== null) messages.pop();
    turn = { ...open, ...more(open) };
    messages.push(turn);
  };
  if (instructions != null) add({ role: "system", content: instructions });
  for (const given of typeof input === "string" ? [{ role: "user", content: input } as const] : input) {
    read(given);
  }
  // A thought that led to nothing is no message.
  return messages.filter((one) => one.role !== "assistant" || one.content !== null || one.toolCalls?.length);

  function read(given: Item): void {
    if ("role" in given) {
      if (given.role === "user") add({ role: "user", content: contentOf(given.content) });
      else if (given.role !== "assistant") add({ role: given.role, content: wordsOf(given.content) });
      else say(wordsOf(given.content));
    } else if ("name" in given) {
      const { call_id: id, name, arguments: json, input: text = "" } = given;
      const made = { id, name, arguments: json ?? JSON.stringify({ input: text }) };
      extend(({ toolCalls = [] }) => ({ toolCalls: [...toolCalls, made] }));
    } else if ("call_id" in given) {
      add({ role: "tool", toolCallId: given.call_id, content: contentOf(given.output) });
    } else if (isThought(given)) {
      const { summary, encrypted_content: signature } = given;
      const text = (summary ?? []).map((one) => one.text).join("\n\n");
      const part = signature == null ? { text } : { text, signature };
      extend(({ reasoning = [] }) => ({ reasoning: [...reasoning, part] }));
    }
  }

  function say(text: string): void {
    if (turn?.content != null) turn = null;
    extend(() => ({ content: text }));
  }
}

function isThought(given: z.infer<typeof thought> | z.infer<typeof other>): given is z.infer<typeof thought> {
  return given.type === "reasoning";
}
