import { expect, test } from "bun:test";
import fc from "fast-check";
import { compact } from "../../compaction/src/index.ts";
import { conversations } from "../../compaction/src/testing/conversation-testing.ts";
import type { ChatMessage } from "../../gateway/src/contract/index.ts";
import type { ChatPrompt } from "../../gateway/src/generation/index.ts";
import { decodeChat } from "../../gateway/src/http/openai/chat/chat-decode.ts";
import { decodeResponseRequest } from "../../gateway/src/http/openai/responses/decode/decode-request.ts";
import { seals } from "../../gateway/src/http/openai/responses/testing.ts";
import { roundsOfRun } from "../rounds-of-run.ts";

/**
 * A property: whatever a client sends, its own body says the same as the neutral messages after their texts were
 * compacted.
 */

type Json = Readonly<Record<string, unknown>>;
type Wire = { encode(messages: readonly ChatMessage[], form: Form): Json; decode(body: Json): ChatPrompt };
/** How clients write a text: as a string, as one part, as two parts, or beside an image. */
type Form = (at: number) => "text" | "part" | "parts" | "image";

const IMAGE = "data:image/png;base64,AA==";

type Names = { readonly text: string; readonly image: Json };

/** Keeps the parts as they are. */
function inParts(content: ChatMessage["content"], { text, image }: Names): unknown {
  if (typeof content === "string" || content === null) return content;
  return content.map((part) => (part.type === "text" ? { type: text, text: part.text } : image));
}

function written(content: ChatMessage["content"], form: ReturnType<Form>, names: Names): unknown {
  if (typeof content !== "string") return inParts(content ?? "", names);
  const text = content;
  if (form === "text") return text;
  if (form === "part") return [{ type: names.text, text }];
  if (form === "image") return [names.image, { type: names.text, text, more: 1 }];
  const half = text.indexOf("\n", text.length / 2);
  const cut = half < 0 ? text.length : half;
  return [
    { type: names.text, text: text.slice(0, cut) },
    { type: names.text, text: text.slice(cut + 1) },
  ];
}

const CHAT: Wire = {
  encode(messages, form) {
    const names = { text: "text", image: { type: "image_url", image_url: { url: IMAGE } } };
    return {
      model: "m",
      messages: messages.map((message, at) => {
        const { role } = message;
        const { content } = message;
        if (role === "tool")
          return { role, tool_call_id: message.toolCallId, content: written(content, form(at), names) };
        if (role !== "assistant") return { role, content: inParts(content, names) };
        const said = content === null ? null : written(content, form(at), { ...names, image: THOUGHT });
        const calls = (message.toolCalls ?? []).map(({ id, name, arguments: json }) => ({
          id,
          type: "function",
          function: { name, arguments: json },
        }));
        return { role, content: said, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
      }),
    };
  },
  decode: (body) => decodeChat(body, { maxMessages: 1_000, callSeal: seals.callSeal }).prompt,
};

/** For assistant messages: what comes beside their text is not an image. */
const THOUGHT = { type: "thinking", thinking: "hm" };

const RESPONSES: Wire = {
  encode(messages, form) {
    const image = { type: "input_image", image_url: IMAGE };
    const input = messages.flatMap((message, at): Json[] => {
      const { role } = message;
      const { content: text } = message;
      const names = { text: "input_text", image };
      if (role === "tool") {
        const output = written(text, form(at), names);
        return [{ type: "function_call_output", call_id: message.toolCallId, output }];
      }
      if (role !== "assistant") return [{ role, content: inParts(text, names) }];
      const shape = form(at) === "image" ? "part" : form(at);
      const content = text === null ? null : written(text, shape, { text: "output_text", image });
      const calls = (message.toolCalls ?? []).map(({ id, name, arguments: json }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: json,
      }));
      return [...(content === null ? [] : [{ type: "message", role, content }]), ...calls];
    });
    return { model: "m", instructions: "Be careful.", input };
  },
  decode: (body) => decodeResponseRequest(body, { seals, maxItems: 10_000 }).prompt,
};

test.each([
  ["chat completions", CHAT],
  ["responses", RESPONSES],
])("%s: the rewritten body decodes to the compacted messages", (_, wire) => {
  const forms = fc.array(fc.constantFrom("text", "text", "part", "parts", "image"), {
    minLength: 7,
    maxLength: 7,
  });
  fc.assert(
    fc.property(conversations(), forms, fc.constantFrom("safe", "structural"), (messages, shapes, level) => {
      const body = wire.encode(
        messages as readonly ChatMessage[],
        (at) => (shapes[at % shapes.length] ?? "text") as ReturnType<Form>,
      );
      const prompt = wire.decode(body);
      const texts = prompt.wire?.texts;
      const before = JSON.stringify(body);
      const compaction = compact(prompt.messages, { level, references: true, isFixed: texts?.isFixed });
      expect(compaction.changed.filter((at) => texts?.isFixed?.(at))).toEqual([]);
      const shown = texts?.rewrite(compaction.messages, compaction.changed) ?? {};
      expect(wire.decode(shown).messages).toEqual(compaction.messages);
      expect(JSON.stringify(body)).toBe(before);
    }),
    { numRuns: roundsOfRun(60) },
  );
});
