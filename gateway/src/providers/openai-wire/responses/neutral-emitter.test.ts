import { describe, expect, test } from "bun:test";
import type { ChatEvent, ChatRequest } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { createAddress } from "../address.ts";
import { exchangeOf } from "../exchange.ts";
import { expecting } from "../testing.ts";
import { neutralResponseReading } from "./response-reading.ts";

type Json = Readonly<Record<string, unknown>>;

const reading = neutralResponseReading(expecting());
const USAGE = { input_tokens: 5, output_tokens: 7, output_tokens_details: { reasoning_tokens: 2 } };
const REPORTED = { inputTokens: 5, outputTokens: 7, reasoningTokens: 2 };

function responseOf(output: readonly Json[], more: Json = {}): Json {
  return { id: "resp_1", status: "completed", output, usage: USAGE, ...more };
}

function streamed(...events: readonly Json[]): readonly ChatEvent[] {
  const decoder = reading.stream();
  const told = decoder.push(events.map((event) => ({ event: "message", data: JSON.stringify(event) })));
  return [...told, ...decoder.end()];
}

const THOUGHT = {
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "gA",
};
const SAID = { type: "message", content: [{ type: "output_text", text: "Looking." }] };
const NO = { type: "message", content: [{ type: "refusal", refusal: "No." }] };
const CALL = { type: "function_call", call_id: "c1", name: "look", arguments: '{"a":1}' };
const PATCH = { type: "custom_tool_call", call_id: "c2", name: "patch", input: 'a "b"\n' };

const TOLD: readonly ChatEvent[] = [
  { type: "reasoning", text: "Hm." },
  { type: "reasoning_signature", signature: "acme/gA" },
  { type: "text", text: "Looking." },
  { type: "tool_start", call: 0, id: "c1", name: "look" },
  { type: "tool_arguments", call: 0, text: '{"a":1}' },
  { type: "tool_start", call: 1, id: "c2", name: "patch" },
  { type: "tool_arguments", call: 1, text: '{"input":"' },
  { type: "tool_arguments", call: 1, text: 'a \\"b\\"\\n' },
  { type: "tool_arguments", call: 1, text: '"}' },
  { type: "finish", reason: "tool_calls", usage: REPORTED },
];
const OUTPUT = [THOUGHT, SAID, CALL, PATCH];

describe("a response in neutral events", () => {
  test("has reasoning, text and calls, or a refusal, in one piece", () => {
    expect(reading.whole(responseOf(OUTPUT))).toEqual([...TOLD]);
    expect(reading.whole(responseOf([NO]))).toEqual([
      { type: "refusal", text: "No." },
      { type: "finish", reason: "stop", usage: REPORTED },
    ]);
  });

  test("has full reasoning text, in one piece and streamed alike", () => {
    const content = [{ type: "reasoning_text", text: "Hm." }];
    const output = [{ ...THOUGHT, summary: [], content }, SAID];
    const place = { output_index: 0, content_index: 0 };
    const pieces = streamed(
      { type: "response.output_item.added", output_index: 0, item: { ...THOUGHT, summary: [], content: [] } },
      { type: "response.reasoning_text.delta", ...place, delta: "Hm." },
      { type: "response.output_item.done", output_index: 0, item: output[0] },
      { type: "response.output_item.done", output_index: 1, item: SAID },
      { type: "response.completed", response: responseOf(output) },
    );
    expect(reading.whole(responseOf(output))).toEqual([...pieces]);
    expect(pieces.slice(0, 3)).toEqual(TOLD.slice(0, 3));
  });

  test("has signatures that say where reasoning was and how it was split, in one piece and streamed", () => {
    const summary = ["So", "then"].map((text) => ({ type: "summary_text", text }));
    const output = [{ ...THOUGHT, summary }, SAID, CALL, { ...THOUGHT, summary: [] }];
    const signatures = (events: readonly ChatEvent[]) =>
      events.flatMap((event) => (event.type === "reasoning_signature" ? [event.signature] : []));
    const expected = ["acme/@;2,6:gA", "acme/@8,c;:gA"];
    expect(signatures(reading.whole(responseOf(output)))).toEqual(expected);
    const events = output.flatMap((item, output_index): Json[] => [
      { type: "response.output_item.added", output_index, item },
      ...(output_index === 0 ? summary : []).flatMap(({ text }, summary_index) =>
        [text.slice(0, 1), text.slice(1)].map((delta) => {
          return { type: "response.reasoning_summary_text.delta", output_index, summary_index, delta };
        }),
      ),
      { type: "response.output_item.done", output_index, item },
    ]);
    const end = { type: "response.completed", response: responseOf(output) };
    expect(signatures(streamed(...events, end))).toEqual(expected);
  });

  test("repeats nothing when streamed", () => {
    const place = (output_index: number) => ({ output_index, item_id: `i${output_index}` });
    const added = (at: number, item: Json) => ({ type: "response.output_item.added", ...place(at), item });
    const done = (at: number) => ({ type: "response.output_item.done", ...place(at), item: OUTPUT[at] });
    const delta = (type: string, at: number, text: string) => ({ type, ...place(at), delta: text });
    const events = streamed(
      { type: "response.created", response: responseOf([], { status: "in_progress" }) },
      added(0, { ...THOUGHT, summary: [] }),
      delta("response.reasoning_summary_text.delta", 0, "Hm."),
      done(0),
      added(1, { ...SAID, content: [] }),
      delta("response.output_text.delta", 1, "Looking."),
      { type: "response.output_text.done", ...place(1), text: "Looking." },
      done(1),
      added(2, { ...CALL, arguments: "" }),
      delta("response.function_call_arguments.delta", 2, '{"a":1}'),
      { type: "response.function_call_arguments.done", ...place(2), arguments: CALL.arguments },
      done(2),
      added(3, { ...PATCH, input: "" }),
      delta("response.custom_tool_call_input.delta", 3, PATCH.input),
      done(3),
      { type: "response.completed", response: responseOf(OUTPUT) },
    );
    expect(events).toEqual(TOLD);
  });

  describe("that ends with more text than was streamed", () => {
    const message = (...texts: string[]) => ({
      type: "message",
      content: texts.map((text) => ({ type: "output_text", text })),
    });
    const piece = (delta: string, output_index = 0) => ({
      ...{ type: "response.output_text.delta", output_index },
      delta,
    });
    const done = (item: Json) => ({ type: "response.output_item.done", output_index: 0, item });
    const completed = (...output: Json[]) => ({ type: "response.completed", response: responseOf(output) });
    const texts = (...events: Json[]) =>
      streamed(...events).flatMap((event) => (event.type === "text" ? [event.text] : []));

    test.each<[string, Json[], string[]]>([
      ["in its last event", [piece("Hel"), completed(message("Hello"))], ["Hel", "lo"]],
      ["at the end of its item", [piece("Hel"), done(message("Hello")), completed()], ["Hel", "lo"]],
      [
        "in another part",
        [piece("Hel"), piece("lo"), completed(message("Hello", " you"))],
        ["Hel", "lo", " you"],
      ],
    ])("gets the rest: %s", (_, events, expected) => {
      expect(texts(...events)).toEqual(expected);
    });

    test.each<[string, Json[], string[]]>([
      ["the text is the same", [piece("Hello"), completed(message("Hello"))], ["Hello"]],
      ["the text differs", [piece("Howdy"), completed(message("Hello you"))], ["Howdy"]],
      ["the text is shorter", [piece("Hello"), completed(message("Hel"))], ["Hello"]],
      [
        "another message began meanwhile",
        [piece("Hel"), piece("You", 1), completed(message("Hello"), message("You"))],
        ["Hel", "\n\nYou"],
      ],
    ])("gets nothing more if %s", (_, events, expected) => {
      expect(texts(...events)).toEqual(expected);
    });
  });

  test("is the same with only finished items, only the last event, or an empty last event", () => {
    const done = OUTPUT.map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    }));
    expect(streamed(...done, { type: "response.completed", response: responseOf(OUTPUT) })).toEqual(TOLD);
    expect(streamed(...done, { type: "response.completed", response: responseOf([]) })).toEqual(TOLD);
    expect(streamed({ type: "response.completed", response: responseOf(OUTPUT) })).toEqual(TOLD);
  });

  test("has messages and reasoning parts separated by blank lines, in one piece and streamed", () => {
    const said = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] });
    const parts = ["**Plan**", "**Check**"].map((text) => ({ type: "summary_text", text }));
    const later = { type: "reasoning", summary: [{ type: "summary_text", text: "Done." }] };
    const output = [{ ...THOUGHT, summary: parts }, said("One."), CALL, later, said(""), said("Two.")];
    const wordsOf = (events: readonly ChatEvent[]) => {
      const told = (type: "text" | "reasoning") =>
        events.map((event) => (event.type === type ? event.text : "")).join("");
      return [told("reasoning"), told("text")];
    };
    const expected = ["**Plan**\n\n**Check**\n\nDone.", "One.\n\nTwo."];
    expect(wordsOf(reading.whole(responseOf(output)))).toEqual(expected);
    const delta = (type: string, output_index: number, text: string, more: Json = {}) => ({
      ...{ type: `response.${type}.delta`, output_index, delta: text },
      ...more,
    });
    const thought = "reasoning_summary_text";
    const done = (output_index: number) => ({
      ...{ type: "response.output_item.done", output_index },
      item: output[output_index],
    });
    const events = streamed(
      delta(thought, 0, "**Pl", { summary_index: 0 }),
      delta(thought, 0, "an**", { summary_index: 0 }),
      delta(thought, 0, "**Check**", { summary_index: 1 }),
      done(0),
      delta("output_text", 1, "On", { content_index: 0 }),
      delta("output_text", 1, "e.", { content_index: 0 }),
      ...[1, 2, 3, 4].map(done),
      delta("output_text", 5, "", { content_index: 0 }),
      delta("output_text", 5, "Two.", { content_index: 0 }),
      done(5),
      { type: "response.completed", response: responseOf(output) },
    );
    expect(wordsOf(events)).toEqual(expected);
  });

  test("has {} as the arguments of a call without any", () => {
    const [, text] = reading.whole(responseOf([{ ...CALL, arguments: "" }]));
    expect(text).toEqual({ type: "tool_arguments", call: 0, text: "{}" });
  });

  test.each([
    ["max_output_tokens", "length"],
    ["content_filter", "content_filter"],
  ])("cut by %s ends with %s", (reason, word) => {
    const response = responseOf([SAID], { status: "incomplete", incomplete_details: { reason } });
    expect(streamed({ type: "response.incomplete", response }).at(-1)).toMatchObject({ reason: word });
  });

  test("ends with stop if the request named one tool", () => {
    const named = neutralResponseReading(expecting({ namedTool: true }));
    expect(named.whole(responseOf([CALL])).at(-1)).toMatchObject({ reason: "stop" });
  });
});

test("a response that fails or breaks off fails the call, after the text that came before", () => {
  const said = { type: "response.output_text.delta", output_index: 0, delta: "Loo" };
  const error = { code: "server_error", message: "Oh." };
  for (const last of [
    { type: "error", ...error },
    { type: "response.failed", response: responseOf([], { status: "failed", error }) },
  ]) {
    const decoder = reading.stream();
    const told = decoder.push([said, last].map((event) => ({ event: "", data: JSON.stringify(event) })));
    expect(told).toEqual([{ type: "text", text: "Loo" }]);
    expect(() => decoder.end()).toThrow(/unavailable/);
  }
  expect(() => streamed(said)).toThrow(/broke off/);
  expect(() => reading.whole(responseOf([], { status: "failed", error }))).toThrow(/unavailable/);
});

describe("commentary beside an answer", () => {
  const beside = (text: string) => ({
    type: "message",
    phase: "commentary",
    content: [{ type: "output_text", text }],
  });
  const ANSWER = { type: "message", phase: "final_answer", content: [{ type: "output_text", text: "{}" }] };
  const inForm = neutralResponseReading(expecting(), { hasForm: true });
  const told = (output: readonly Json[], by = inForm) => {
    const whole = by.whole(responseOf(output));
    const decoder = by.stream();
    const events = output.flatMap((item, output_index): Json[] => [
      { type: "response.output_item.added", output_index, item: { ...item, content: [] } },
      ...((item["content"] as Json[] | undefined) ?? []).map(({ text }) => {
        return { type: "response.output_text.delta", output_index, content_index: 0, delta: text };
      }),
      { type: "response.output_item.done", output_index, item },
    ]);
    const end = { type: "response.completed", response: responseOf(output) };
    const written = [...events, end].map((event) => ({ event: "message", data: JSON.stringify(event) }));
    expect([...decoder.push(written), ...decoder.end()]).toEqual(whole);
    return whole.map((event) => (event.type === "text" ? event.text : event.type));
  };

  test("is dropped if a format was requested and an answer or a call follows", () => {
    expect(told([beside("I will look."), ANSWER])).toEqual(["{}", "finish"]);
    expect(told([beside("I will look."), THOUGHT, beside("Now I know."), ANSWER])).toEqual([
      "reasoning",
      "reasoning_signature",
      "{}",
      "finish",
    ]);
    expect(told([beside("I will look."), CALL])).toEqual(["tool_start", "tool_arguments", "finish"]);
  });

  test("is reported if a format was requested but nothing else follows", () => {
    expect(told([beside("I will look."), beside("And look.")])).toEqual([
      "I will look.\n\nAnd look.",
      "finish",
    ]);
  });

  test("is dropped only if the request has a response format", () => {
    const settings = { name: "acme", kind: null, baseUrl: null, apiKey: null };
    const { openai } = WIRE_VENDORS;
    const readBy = (more: Partial<ChatRequest>) => {
      const messages = [{ role: "user", content: "hi" }] as const;
      const request = { messages, maxOutputTokens: 64, tools: [{ name: "look" }], ...more };
      const target = { vendor: openai, model: "gpt-5.6", namespace: "acme" };
      return exchangeOf(request, target, createAddress(settings, openai)).reading;
    };
    const output = [beside("I will look."), ANSWER];
    expect(told(output, readBy({ responseFormat: { type: "json" } }))).toEqual(["{}", "finish"]);
    for (const more of [{}, { responseFormat: { type: "text" } }] as const) {
      expect(told(output, readBy(more))).toContain("I will look.");
    }
  });

  test("is reported if no format was requested", () => {
    expect(told([beside("I will look."), ANSWER], reading)).toEqual(["I will look.", "\n\n{}", "finish"]);
  });
});
