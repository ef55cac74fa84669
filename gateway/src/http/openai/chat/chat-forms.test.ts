import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../../contract/index.ts";
import type { ChatStreamPart, WholeAnswer } from "../../../generation/index.ts";
import { encodeChoice } from "./chat-choice.ts";
import { createChatChunks } from "./chat-chunks.ts";
import { type ChatChunk, chatChunkSchema } from "./chat-schema.ts";
import { answerWith, formWith, paidFor, REQUEST_ID } from "./chat-testing.ts";

/** One answer as a provider yields it: any texts in any order, then any calls in any pieces. */
const word = fc.record({
  type: fc.constantFrom("text", "refusal", "reasoning"),
  text: fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
});
const call = fc.record({
  name: fc.constantFrom("add", "say"),
  pieces: fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
});
type Said = { type: string; text: string };
type Called = { name: string; pieces: string[] };
type Answer = { words: Said[]; calls: Called[] };
const answer: fc.Arbitrary<Answer> = fc.record({
  words: fc.array(word, { maxLength: 5 }),
  calls: fc.array(call, { maxLength: 3 }),
});

function eventsOf({ words, calls }: Answer, index: number): ChatEvent[] {
  return [
    ...words.map(({ type, text }) => ({ type, text, index }) as ChatEvent),
    ...calls.flatMap(({ name, pieces }, at): ChatEvent[] => [
      { type: "tool_start", call: at, id: `call_${at}`, name, index },
      ...pieces.map((text): ChatEvent => ({ type: "tool_arguments", call: at, text, index })),
    ]),
  ];
}

function wholeOf({ words, calls }: Answer): WholeAnswer {
  const join = (type: string) => words.flatMap((said) => (said.type === type ? [said.text] : [])).join("");
  const reasoning = join("reasoning");
  return answerWith({
    content: join("text"),
    refusal: join("refusal"),
    reasoning: reasoning === "" ? [] : [{ text: reasoning }],
    toolCalls: calls.map(({ name, pieces }, at) => ({ id: `call_${at}`, name, arguments: pieces.join("") })),
  });
}

/** What a client has assembled at the end of one answer. */
function assemble(chunks: readonly ChatChunk[], index: number) {
  const choices = chunks.flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index));
  const join = (field: "content" | "refusal" | "reasoning_content") =>
    choices.map(({ delta }) => delta[field] ?? "").join("");
  const calls: { id?: string; name?: string; text: string }[] = [];
  for (const { delta } of choices) {
    for (const { index: at, id, function: made, custom } of delta.tool_calls ?? []) {
      calls[at] ??= { ...(id === undefined ? {} : { id }), name: made?.name ?? custom?.name ?? "", text: "" };
      const open = calls[at];
      open.text += made?.arguments ?? custom?.input ?? "";
    }
  }
  const reason = choices.at(-1)?.finish_reason;
  return [join("content"), join("refusal"), join("reasoning_content"), calls, reason];
}

function said(whole: WholeAnswer, index: number, form: ReturnType<typeof formWith>) {
  const { message, finish_reason } = encodeChoice(whole, index, form);
  const calls = (message["tool_calls"] ?? []) as {
    id: string;
    function?: { name: string; arguments: string };
    custom?: { name: string; input: string };
  }[];
  const flat = calls.map(({ id, function: made, custom }) => ({
    id,
    name: made?.name ?? custom?.name ?? "",
    text: made?.arguments ?? custom?.input ?? "",
  }));
  return [
    message["content"] ?? "",
    message["refusal"] ?? "",
    message["reasoning_content"] ?? "",
    flat,
    finish_reason,
  ];
}

test("an assembled stream equals the reply in one piece, however its events are interleaved", () => {
  const property = fc.property(
    fc.array(answer, { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    fc.boolean(),
    fc.infiniteStream(fc.nat({ max: 2 })),
    (answers, includesUsage, hasCustom, picks) => {
      const form = formWith(hasCustom ? { customTools: new Set(["say"]) } : {});
      const encoder = createChatChunks({
        requestId: REQUEST_ID,
        model: "m",
        n: answers.length,
        includesUsage,
        form,
      });
      const wholes = answers.map(wholeOf);
      const queues = answers.map(eventsOf);
      const parts: ChatStreamPart[] = [];
      // Answers interleave in any way; each keeps its own order.
      while (queues.some((queue) => queue.length > 0)) {
        const ready = queues.filter((queue) => queue.length > 0);
        const queue = ready[(picks.next().value ?? 0) % ready.length] ?? [];
        parts.push({ type: "events", events: queue.splice(0, 1 + (picks.next().value ?? 0)) });
      }
      parts.push({ type: "events", events: [{ type: "finish", reason: "stop", usage: null }] });
      parts.push({ type: "done", paid: paidFor(wholes) });
      const written = parts.flatMap((part) => encoder.encode(part));
      expect(written.pop()).toBe("data: [DONE]\n\n");
      const chunks = written.map((event) => chatChunkSchema.parse(JSON.parse(event.slice("data: ".length))));
      for (const [index, whole] of wholes.entries()) {
        expect<unknown>(assemble(chunks, index)).toEqual(said(whole, index, form));
      }
      expect(chunks.filter((chunk) => "credits_charged" in chunk)).toEqual(chunks.slice(-1));
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test("annotations of a text are in the reply and in a chunk of the stream", () => {
  const note = { start_index: 0, end_index: 2, url: "https://a.example", title: "A" };
  const annotations = [{ type: "url_citation", url_citation: note }];
  const { message } = encodeChoice(answerWith({ content: "Hi", annotations }), 0, formWith());
  expect(message).toMatchObject({ content: "Hi", annotations });
  const chunks = createChatChunks({
    requestId: REQUEST_ID,
    model: "acme-chat",
    n: 1,
    includesUsage: false,
    form: formWith(),
  });
  const events: ChatEvent[] = [
    { type: "text", text: "Hi" },
    { type: "annotations", content: annotations },
  ];
  const [, , frame = ""] = chunks.encode({ type: "events", events });
  const chunk = chatChunkSchema.parse(JSON.parse(frame.slice("data: ".length)));
  expect(chunk.choices[0]?.delta).toEqual({ annotations });
});
