import { describe, expect, test } from "bun:test";
import { expecting, streamed } from "../testing.ts";
import { responseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;
const event = (type: string, fields: Json = {}): Json => ({ type: `response.${type}`, ...fields });
const added = (item: Json, at = 0) => event("output_item.added", { output_index: at, item });
const done = (item: Json, at = 0) => event("output_item.done", { output_index: at, item });
const completed = (output: Json[] = []) =>
  event("completed", { response: { object: "response", status: "completed", output } });

const text = (said: string) => ({ type: "output_text", text: said, annotations: [], logprobs: [] });
const refusal = (said: string) => ({ type: "refusal", refusal: said });
const message = (...content: Json[]) => ({
  type: "message",
  id: "i",
  status: "completed",
  role: "assistant",
  content,
});
const thought = (fields: Json) => ({ type: "reasoning", id: "i", summary: [], ...fields });
const call = (given: string, more: Json = {}) => ({
  type: "function_call",
  id: "i",
  call_id: "c",
  name: "f",
  arguments: given,
  status: "completed",
  ...more,
});
const custom = (input: string) => ({
  type: "custom_tool_call",
  id: "i",
  call_id: "c",
  name: "f",
  input,
  status: "completed",
});

function told(...events: Json[]) {
  const { wire, chunks } = streamed(responseReading(expecting()), events);
  const names = wire.map((each) => each.event?.replace("response.", ""));
  return { names, chunks: chunks as Json[], written: wire.map((each) => each.written).join("") };
}
/** The events between those that begin and end the item. */
const between = (...events: Json[]): Json[] => {
  const { names, chunks } = told(...events);
  return chunks.slice(1, -1).map((chunk, at) => ({ event: names[at + 1], ...chunk }));
};

const place = { item_id: "i", output_index: 0 };
const inContent = { ...place, content_index: 0 };
const inSummary = { ...place, summary_index: 0 };

describe("an item that gets no deltas and then ends complete", () => {
  test.each<[string, Json, Json, Json[]]>([
    [
      "a text",
      message(),
      message(text("whole")),
      [
        { event: "content_part.added", ...inContent, part: text("") },
        { event: "output_text.delta", ...inContent, delta: "whole", logprobs: [] },
        { event: "output_text.done", ...inContent, text: "whole", logprobs: [] },
        { event: "content_part.done", ...inContent, part: text("whole") },
      ],
    ],
    [
      "a refusal",
      message(),
      message(refusal("No.")),
      [
        { event: "content_part.added", ...inContent, part: refusal("") },
        { event: "refusal.delta", ...inContent, delta: "No." },
        { event: "refusal.done", ...inContent, refusal: "No." },
        { event: "content_part.done", ...inContent, part: refusal("No.") },
      ],
    ],
    [
      "a summary",
      thought({}),
      thought({ summary: [{ type: "summary_text", text: "So." }] }),
      [
        { event: "reasoning_summary_part.added", ...inSummary, part: { type: "summary_text", text: "" } },
        { event: "reasoning_summary_text.delta", ...inSummary, delta: "So." },
        { event: "reasoning_summary_text.done", ...inSummary, text: "So." },
        { event: "reasoning_summary_part.done", ...inSummary, part: { type: "summary_text", text: "So." } },
      ],
    ],
    [
      "a reasoning text",
      thought({}),
      thought({ content: [{ type: "reasoning_text", text: "Hm." }] }),
      [
        { event: "content_part.added", ...inContent, part: { type: "reasoning_text", text: "" } },
        { event: "reasoning_text.delta", ...inContent, delta: "Hm." },
        { event: "reasoning_text.done", ...inContent, text: "Hm." },
        { event: "content_part.done", ...inContent, part: { type: "reasoning_text", text: "Hm." } },
      ],
    ],
    [
      "a call",
      call(""),
      call('{"a":1}'),
      [
        { event: "function_call_arguments.delta", ...place, delta: '{"a":1}' },
        { event: "function_call_arguments.done", ...place, name: "f", arguments: '{"a":1}' },
      ],
    ],
    [
      "a custom tool call",
      custom(""),
      custom("ls"),
      [
        { event: "custom_tool_call_input.delta", ...place, delta: "ls" },
        { event: "custom_tool_call_input.done", ...place, input: "ls" },
      ],
    ],
  ])("gets the missing events: %s", (_what, begun, ended, events) => {
    expect(between(added(begun), done(ended), completed())).toEqual(events);
  });

  test("gets them if only the last event contains it", () => {
    const { names } = told(added(message()), completed([message(text("whole"))]));
    expect(names).toEqual([
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
    ]);
  });

  test("gets a delta for each of its parts, in order", () => {
    const ended = message(text("one"), refusal("No."), text("two"));
    const deltas = between(added(message()), done(ended), completed()).filter((each) => "delta" in each);
    expect(deltas.map((each) => [each["content_index"], each["delta"]])).toEqual([
      [0, "one"],
      [1, "No."],
      [2, "two"],
    ]);
  });

  test("gets the events of a second part that had no deltas", () => {
    const piece = event("output_text.delta", { ...inContent, delta: "one" });
    const ended = message(text("one"), text("two"));
    expect(told(added(message()), piece, done(ended), completed()).names).toEqual([
      ...["output_item.added", "content_part.added", "output_text.delta", "content_part.done"],
      ...["content_part.added", "output_text.delta", "output_text.done", "content_part.done"],
      "output_item.done",
    ]);
  });

  test("gets a delta for a part that began empty", () => {
    expect(between(added(message(text(""))), done(message(text("whole"))), completed())).toEqual([
      { event: "output_text.delta", ...inContent, delta: "whole", logprobs: [] },
      { event: "content_part.done", ...inContent, part: text("whole") },
    ]);
  });

  test.each<[string, Json[], number]>([
    ["a text", [added(message()), done(message(text("whole"))), completed()], 5],
    ["a text that only the last event contains", [added(message()), completed([message(text("whole"))])], 5],
    ["a call", [added(call("")), done(call("{}")), completed()], 3],
    ["a text that began complete", [added(message(text("whole"))), done(message(text("whole")))], 5],
  ])("counts once: %s", (_what, events, characters) => {
    expect(told(...events, completed()).written).toHaveLength(characters);
  });
});

test.each<[string, Json, Json]>([
  ["a text that began complete", message(text("whole")), message(text("whole"))],
  ["a call that began complete", call("{}"), call("{}")],
  ["a call that was cut off without arguments", call(""), call("", { status: "incomplete" })],
  ["a custom tool call without input", custom(""), custom("")],
  ["an unknown part", message(), message({ type: "output_audio", data: "AAAA" })],
  ["a part that is null", message(), message(null as unknown as Json)],
])("an item gets no extra events: %s", (_what, begun, ended) => {
  expect(told(added(begun), done(ended), completed()).names).toEqual([
    "output_item.added",
    "output_item.done",
  ]);
});

test("text that was sent under an unknown item is not sent again", () => {
  const orphan = event("output_text.delta", { item_id: "b", output_index: 7, content_index: 0, delta: "Hi" });
  const { names, written } = told(added(message()), orphan, done(message(text("Hi"))), completed());
  expect(names.filter((name) => name === "output_text.delta")).toHaveLength(1);
  expect(written).toBe("Hi");
});
