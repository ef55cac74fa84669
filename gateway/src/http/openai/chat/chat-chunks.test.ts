import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import type { ChatStreamPart } from "../../../generation/index.ts";
import { AppError } from "../../../kit/index.ts";
import { createChatChunks } from "./chat-chunks.ts";
import { type ChatChunk, chatChunkSchema } from "./chat-schema.ts";
import {
  answerWith,
  CHARGE,
  CREATED,
  callSeal,
  formWith,
  paidFor,
  REQUEST_ID,
  WIRE_USAGE,
} from "./chat-testing.ts";

type Options = { n?: number; includesUsage?: boolean; style?: Parameters<typeof formWith>[0] };

const chunksOf = ({ n = 1, includesUsage = false, style = {} }: Options = {}) =>
  createChatChunks({ requestId: REQUEST_ID, model: "acme-chat", n, includesUsage, form: formWith(style) });

const events = (...list: ChatEvent[]): ChatStreamPart => ({ type: "events", events: list });
const text = (words: string, index?: number): ChatEvent => ({
  type: "text",
  text: words,
  ...(index === undefined ? {} : { index }),
});
const finish = (reason: "stop" | "length" | "tool_calls" = "stop"): ChatEvent => ({
  type: "finish",
  reason,
  usage: null,
});
const done = (...input: Parameters<typeof paidFor>): ChatStreamPart => ({
  type: "done",
  paid: paidFor(...input),
});
const wire = (choice: object, isClosing = false): ChatEvent => ({
  type: "wire",
  members: JSON.stringify({ choices: [choice], system_fingerprint: "fp" }).slice(1, -1),
  written: "",
  isClosing,
});

/** What a client reads: every event ends in a blank line, and all but the last are JSON. */
function read(parts: readonly ChatStreamPart[], options: Options = {}): ChatChunk[] {
  const encoder = chunksOf(options);
  const written = parts.flatMap((part) => encoder.encode(part));
  for (const event of written) expect(event).toMatch(/^data: [^\n]+\n\n$/);
  expect(written.pop()).toBe("data: [DONE]\n\n");
  return written.map((event) => chatChunkSchema.parse(JSON.parse(event.slice("data: ".length))));
}

const deltas = (chunks: readonly ChatChunk[]) => chunks.map(({ choices }) => choices[0]?.delta);

describe("a stream of neutral events", () => {
  const parts = [events(text("Hi"), text(" there.")), events(finish()), done([answerWith()])];

  test("starts with the role, sends its text in pieces and ends with the finish reason and the charge", () => {
    const chunks = read(parts);
    expect(deltas(chunks)).toEqual([
      { role: "assistant", content: "", refusal: null },
      { content: "Hi" },
      { content: " there." },
      {},
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, "stop"]);
    expect(chunks.at(-1)).toMatchObject(CHARGE);
    expect(chunks.slice(0, -1).some((chunk) => "credits_charged" in chunk)).toBe(false);
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
  });

  test("has the same id, time and model in every chunk", () => {
    for (const chunk of read(parts)) {
      expect(chunk).toMatchObject({ id: `chatcmpl-${REQUEST_ID}`, created: CREATED, model: "acme-chat" });
    }
  });

  test("with requested usage has null until a last chunk without choices, which has usage and charge", () => {
    const chunks = read(parts, { includesUsage: true });
    expect(chunks.slice(0, -1).map(({ usage }) => usage)).toEqual([null, null, null, null]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: WIRE_USAGE, ...CHARGE });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-2)).not.toHaveProperty("credits_charged");
  });

  test("holds back only the chunk with the charge", () => {
    const encoder = chunksOf();
    expect(encoder.encode(events(text("Hi")))).toHaveLength(2);
    expect(encoder.encode(events(text("."), finish()))).toHaveLength(1);
    expect(encoder.encode(done([answerWith()]))).toHaveLength(2);
    expect(chunksOf({ includesUsage: true }).encode(events(text("Hi"), finish()))).toHaveLength(3);
  });

  test("sends text with line breaks and quotes in one event", () => {
    const words = 'a\n\n"b"\r\u2028';
    expect(deltas(read([events(text(words), finish()), done([answerWith()])]))[1]).toEqual({
      content: words,
    });
  });

  test("sends reasoning, refusals and log probabilities in their fields", () => {
    const token = { token: "No", logprob: -1, bytes: null, top_logprobs: [] };
    const chunks = read([
      events({ type: "reasoning", text: "Hm." }, text("No"), { type: "logprobs", content: [token] }),
      events({ type: "logprobs", content: [token] }, { type: "refusal", text: "Never." }, finish()),
      done([answerWith()]),
    ]);
    expect(deltas(chunks)).toEqual([
      { role: "assistant", content: null, refusal: null },
      { reasoning_content: "Hm." },
      { content: "No" },
      {},
      { refusal: "Never." },
      {},
    ]);
    const logprobs = chunks.map(({ choices }) => choices[0]?.logprobs);
    expect(logprobs).toEqual([
      null,
      null,
      { content: [token], refusal: null },
      { content: [token], refusal: null },
      null,
      null,
    ]);
  });

  test("of an empty answer still has its role and its finish reason", () => {
    const chunks = read([events(finish("length")), done([answerWith()])]);
    expect(deltas(chunks)).toEqual([{ role: "assistant", content: "", refusal: null }, {}]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("length");
  });

  test("of several answers has a role and a finish reason for each, and the charge in the last chunk", () => {
    const chunks = read(
      [
        events(text("a", 0), text("b", 1), text("c", 0)),
        events({ type: "finish", reason: "stop", reasons: ["stop", "length"], usage: null }),
        done([answerWith(), answerWith()]),
      ],
      { n: 2 },
    );
    const of = (index: number) =>
      chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
    expect(of(0).map(({ delta, finish_reason }) => [delta.role ?? delta.content, finish_reason])).toEqual([
      ["assistant", null],
      ["a", null],
      ["c", null],
      [undefined, "stop"],
    ]);
    expect(of(1).at(-1)?.finish_reason).toBe("length");
    expect(chunks.filter((chunk) => "credits_charged" in chunk)).toEqual(chunks.slice(-1));
  });
});

describe("tool calls in a stream", () => {
  const start = (call: number, id: string, more: object = {}): ChatEvent => ({
    type: "tool_start",
    call,
    id,
    name: "add",
    ...more,
  });
  const piece = (call: number, words: string): ChatEvent => ({ type: "tool_arguments", call, text: words });

  test("begin with id, type, name and empty arguments, and continue with arguments only", () => {
    const chunks = read([
      events(
        start(0, "call_1"),
        piece(0, '{"a"'),
        piece(0, ""),
        piece(0, ":1}"),
        start(1, "call_2"),
        piece(1, "{}"),
      ),
      events(finish("stop")),
      done([answerWith()]),
    ]);
    expect(deltas(chunks)).toEqual([
      { role: "assistant", content: null, refusal: null },
      {
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "add", arguments: "" } }],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
      {
        tool_calls: [{ index: 1, id: "call_2", type: "function", function: { name: "add", arguments: "" } }],
      },
      { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test("finish with stop if the caller named the tool", () => {
    const chunks = read([events(start(0, "c"), finish("tool_calls")), done([answerWith()])], {
      style: { isNamed: true },
    });
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  test("carry signed reasoning and signatures in their ids", () => {
    const chunks = read([
      events({ type: "reasoning", text: "I must" }, { type: "reasoning", text: " add." }),
      events(
        { type: "reasoning_signature", signature: "proof" },
        start(0, "call_1"),
        start(1, "call_2", { signature: "signed" }),
      ),
      events(finish()),
      done([answerWith()]),
    ]);
    const ids = deltas(chunks).flatMap((delta) => delta?.tool_calls?.map(({ id }) => id ?? "") ?? []);
    expect(ids.map((id) => callSeal.open(id))).toEqual([
      { id: "call_1", reasoning: [{ text: "I must add.", signature: "proof" }] },
      { id: "call_2", signature: "signed" },
    ]);
  });

  test("of custom tools send their text once it is complete", () => {
    const chunks = read(
      [
        events(start(0, "c"), piece(0, '{"input":"a \\'), piece(0, '"b\\""}'), finish()),
        done([answerWith()]),
      ],
      { style: { customTools: new Set(["add"]) } },
    );
    expect(deltas(chunks).slice(1, -1)).toEqual([
      { tool_calls: [{ index: 0, id: "c", type: "custom", custom: { name: "add", input: "" } }] },
      { tool_calls: [{ index: 0, custom: { input: 'a "b"' } }] },
    ]);
  });

  test("of the older form are sent as one function_call", () => {
    const chunks = read(
      [events(start(0, "c"), piece(0, "{}"), start(1, "d"), piece(1, "{}"), finish()), done([answerWith()])],
      { style: { isFunctionCall: true } },
    );
    expect(deltas(chunks).slice(1, -1)).toEqual([
      { function_call: { name: "add", arguments: "" } },
      { function_call: { arguments: "{}" } },
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("function_call");
  });
});

describe("a stream of an upstream's own chunks", () => {
  const first = { index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null };
  const word = { index: 0, delta: { content: "Hi" }, logprobs: null, finish_reason: null };
  const last = { index: 0, delta: {}, logprobs: null, finish_reason: "stop" };

  test("is passed on with our id and model, and with the charge in its last chunk", () => {
    const chunks = read([events(wire(first), wire(word)), events(wire(last, true), finish()), done([])]);
    expect(chunks.map(({ choices }) => choices[0])).toEqual([first, word, last] as never);
    expect(chunks[1]).toMatchObject({
      id: `chatcmpl-${REQUEST_ID}`,
      model: "acme-chat",
      system_fingerprint: "fp",
    });
    expect(chunks.at(-1)).toMatchObject(CHARGE);
  });

  test("with requested usage has it in a last chunk without choices", () => {
    const chunks = read([events(wire(word)), events(wire(last, true), finish()), done([])], {
      includesUsage: true,
    });
    expect(chunks.map(({ usage }) => usage)).toEqual([null, null, WIRE_USAGE]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], ...CHARGE });
  });

  test("that we cut short finishes with length", () => {
    const [chunk] = read([events(wire(word)), done([], { finishReason: "length" })]).slice(-1);
    expect(chunk).toMatchObject({ choices: [{ index: 0, delta: {}, finish_reason: "length" }], ...CHARGE });
  });

  test("with several answers has the charge in the last chunk, and finishes those that were cut", () => {
    const parts = [
      events(wire(word), wire({ ...last, index: 1 }, true), wire(word)),
      events(wire({ ...last, index: 0 }, true)),
      done([], { finishReason: "length" }),
    ];
    const ends = read(parts, { n: 3 }).filter(({ choices }) => choices[0]?.finish_reason);
    expect(ends.map(({ choices }) => [choices[0]?.index, choices[0]?.finish_reason as string])).toEqual([
      [1, "stop"],
      [0, "stop"],
      [2, "length"],
    ]);
    expect(ends.map((chunk) => "credits_charged" in chunk)).toEqual([false, false, true]);
  });
});

describe("the end of a stream", () => {
  test("after a failure is an error event and [DONE], without a finish reason", () => {
    const encoder = chunksOf();
    encoder.encode(events(text("Hi"), finish()));
    const error = new AppError("internal_error", "The model's provider failed.", { status: 502 });
    expect(encoder.encode({ type: "error", error })).toEqual([
      'data: {"error":{"message":"The model\'s provider failed.","type":"server_error","param":null,"code":"internal_error"}}\n\n',
      "data: [DONE]\n\n",
    ]);
  });

  test("of a repeat has the stored finish reason and the charge", () => {
    const chunks = read([
      events(
        { type: "tool_start", call: 0, id: "c", name: "add", index: 0 },
        { type: "tool_arguments", call: 0, text: "{}", index: 0 },
      ),
      done([answerWith({ finishReason: "tool_calls" })]),
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }], ...CHARGE });
  });

  const call = { id: "c", type: "function", function: { name: "add", arguments: "{}" } };
  const message = { role: "assistant", content: null, refusal: null, tool_calls: [call] };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "tool_calls" }];
  const whole = { choices, system_fingerprint: "fp" };

  test.each([
    ["of a repeat stored in the upstream's own format", [done([], { wire: whole })]],
    [
      "of an upstream that answers in one piece although a stream was requested",
      [events({ type: "finish", reason: "tool_calls", usage: null, whole }), done([], { wire: whole })],
    ],
  ])("%s follows the whole answer in chunks", (_, parts) => {
    const chunks = read(parts);
    const { tool_calls: _calls, ...words } = message;
    const start = { index: 0, ...call, function: { name: "add", arguments: "" } };
    expect(deltas(chunks)).toEqual([
      words,
      { tool_calls: [start] },
      { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
      {},
    ] as never);
    expect(chunks[0]?.system_fingerprint).toBe("fp");
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }], ...CHARGE });
  });
});
