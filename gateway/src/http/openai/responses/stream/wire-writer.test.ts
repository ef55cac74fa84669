import { describe, expect, test } from "bun:test";
import { readResponseStream } from "../../../../../../test/conformance/response-events.ts";
import type { ChatEvent } from "../../../../contract/index.ts";
import { paidFor, REQUEST_ID } from "../../chat/chat-testing.ts";
import { responseReplySchema } from "../responses-schema.ts";
import { done, events, finish, formsFor, outputIn, streamed } from "../testing.ts";
import { createResponseEncoder } from "./response-encoder.ts";

const ITEM = { id: "msg_up", type: "message", status: "completed", role: "assistant" };
const CONTENT = [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }];
const CALL = {
  id: "fc_up",
  type: "function_call",
  status: "completed",
  call_id: "c",
  name: "f",
  arguments: "{}",
};
const CUSTOM_CALL = {
  id: "ctc_up",
  type: "custom_tool_call",
  status: "completed",
  call_id: "c",
  name: "f",
  input: "+a",
};
const WHOLE = {
  id: "resp_up",
  object: "response",
  created_at: 5,
  model: "upstream-model",
  status: "completed",
  output: [{ ...ITEM, content: CONTENT }],
  store: true,
  conversation: { id: "conv_up" },
  usage: { input_tokens: 1 },
  service_tier: "flex",
  top_p: null,
  extra: "kept",
};

/** An upstream's event, without the fields that we set ourselves. */
function wire(event: string, fields: Readonly<Record<string, unknown>>): ChatEvent {
  return { type: "wire", event, members: JSON.stringify(fields).slice(1, -1), written: "" };
}

const place = { item_id: "msg_up", output_index: 0, content_index: 0 };
const BEGUN = [
  wire("response.created", { response: { id: "resp_up" } }),
  wire("response.in_progress", { response: { id: "resp_up" } }),
  wire("response.output_item.added", {
    output_index: 0,
    item: { ...ITEM, status: "in_progress", content: [] },
  }),
  wire("response.output_text.delta", { ...place, delta: "Hel", logprobs: [] }),
];
const ENDED = [
  wire("response.output_text.delta", { ...place, delta: "lo", logprobs: [], obfuscation: "x" }),
  wire("response.output_text.done", { ...place, text: "Hello", logprobs: [] }),
  wire("response.output_item.done", { output_index: 0, item: { ...ITEM, content: CONTENT } }),
];

describe("an upstream of the same wire", () => {
  test("is passed on with our id, model, usage and charge, and with its own items", () => {
    const {
      events: seen,
      response,
      faults,
    } = streamed([events(...BEGUN), events(...ENDED, finish()), done("stop", WHOLE)]);
    expect(faults).toEqual([]);
    expect(seen.filter(({ type }) => type === "response.created")).toHaveLength(1);
    expect(seen.find(({ delta }) => delta === "lo")).toMatchObject({ item_id: "msg_up", obfuscation: "x" });
    expect(response).toMatchObject({
      id: `resp_${REQUEST_ID}`,
      model: "acme-chat",
      store: false,
      service_tier: "flex",
      top_p: 1,
      extra: "kept",
      credits_charged: 3,
      usage: { input_tokens: 30, output_tokens: 20, total_tokens: 50 },
      output: [{ id: "msg_up" }],
    });
    expect(response).not.toHaveProperty("conversation");
  });

  test("that omits its output from the last event still has the items that it ended there", () => {
    const { response, faults } = streamed([
      events(...BEGUN, ...ENDED, finish()),
      done("stop", { ...WHOLE, output: [] }),
    ]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toHaveLength(1);
  });

  const ended = (whole: Readonly<Record<string, unknown>>): ChatEvent =>
    ({ ...finish(), whole }) as ChatEvent;
  const namesOf = (seen: readonly { type?: unknown; output_index?: unknown }[], index: number) =>
    seen
      .filter((each) => each.output_index === index)
      .map(({ type }) => String(type).replace("response.", ""));
  const MESSAGE_EVENTS = [
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
  ];

  test("that answers in one piece is streamed before the call is settled", () => {
    const whole = { ...WHOLE, output: [...WHOLE.output, CALL] };
    const { object, maker } = formsFor();
    const encoder = createResponseEncoder(object, maker);
    const first = encoder.encode(events(ended(whole)));
    const {
      events: seen,
      response,
      faults,
    } = readResponseStream([...first, ...encoder.encode(done("tool_calls", whole))].join(""));
    expect(faults).toEqual([]);
    expect(first.join("")).toContain('"delta":"Hello"');
    expect(namesOf(seen, 0)).toEqual(MESSAGE_EVENTS);
    expect(namesOf(seen, 1)).toContain("function_call_arguments.delta");
    expect(outputIn(response)).toHaveLength(2);
  });

  test("that has items only in its last event gets events for them, and no other item twice", () => {
    const whole = { ...WHOLE, output: [...WHOLE.output, CALL] };
    const { events: seen, faults } = streamed([
      events(...BEGUN, ...ENDED),
      events(ended(whole)),
      done("tool_calls", whole),
    ]);
    expect(faults).toEqual([]);
    expect(namesOf(seen, 0).filter((name) => name.startsWith("output_item"))).toEqual([
      "output_item.added",
      "output_item.done",
    ]);
    expect(namesOf(seen, 1)).toEqual([
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
    ]);
  });

  test("that does not end an item has it ended, without repeating its text", () => {
    const { events: seen } = streamed([events(...BEGUN, ended(WHOLE)), done("stop", WHOLE)]);
    expect(namesOf(seen, 0)).toEqual(["output_item.added", "output_text.delta", "output_item.done"]);
  });

  test("that does not start an item has it started", () => {
    const { events: seen, faults } = streamed([events(...ENDED.slice(2), ended(WHOLE)), done("stop", WHOLE)]);
    expect(faults).toEqual([]);
    expect(namesOf(seen, 0)).toEqual(MESSAGE_EVENTS);
  });

  test("that numbers its items wrongly has each of them ended once", () => {
    const other = { ...CALL, id: "fc_2" };
    const whole = { ...WHOLE, output: [CALL, other, ...WHOLE.output] };
    const said = [CALL, other].map((item) => wire("response.output_item.done", { output_index: 0, item }));
    const { events: seen } = streamed([events(...said, ended(whole)), done("tool_calls", whole)]);
    const told = seen.filter(({ type }) => type === "response.output_item.done");
    expect(told.map(({ item }) => (item as { id: string }).id)).toEqual(["fc_up", "fc_2", "msg_up"]);
  });

  test("that we cut has its open items ended with what has arrived", () => {
    const argumentsDelta = { item_id: "fc_up", output_index: 1, delta: '{"a' };
    const { events: seen, response } = streamed([
      events(
        ...BEGUN,
        wire("response.output_item.added", { output_index: 1, item: { ...CALL, arguments: "" } }),
        wire("response.function_call_arguments.delta", argumentsDelta),
        wire("response.output_item.added", { output_index: 2, item: { ...CUSTOM_CALL, input: "" } }),
        wire("response.custom_tool_call_input.delta", { item_id: "ctc_up", output_index: 2, delta: "+a" }),
      ),
      done("length"),
    ]);
    expect(seen.filter(({ type }) => type === "response.output_item.done")).toHaveLength(3);
    expect(seen.at(-1)?.type).toBe("response.incomplete");
    expect(outputIn(response)).toMatchObject([
      { id: "msg_up", status: "incomplete", content: [{ text: "Hel" }] },
      { id: "fc_up", status: "incomplete", arguments: '{"a' },
      { id: "ctc_up", status: "incomplete", input: "+a" },
    ]);
  });

  test("that we cut has an item ended that stayed open while another one ended", () => {
    const call = { ...CALL, arguments: "" };
    const { response } = streamed([
      events(
        ...BEGUN,
        wire("response.output_item.added", { output_index: 1, item: { ...call, status: "in_progress" } }),
        wire("response.output_item.done", { output_index: 1, item: CALL }),
        wire("response.output_text.delta", { ...place, delta: "lo" }),
      ),
      done("length"),
    ]);
    expect(outputIn(response)).toMatchObject([
      { id: "msg_up", status: "incomplete", content: [{ text: "Hello" }] },
      { id: "fc_up", status: "completed" },
    ]);
  });

  test("that stopped early is incomplete with its own reason", () => {
    const incomplete = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    const { events: seen, response } = streamed([
      events(...BEGUN, ...ENDED, finish("content_filter")),
      done("content_filter", { ...WHOLE, ...incomplete }),
    ]);
    expect(seen.at(-1)?.type).toBe("response.incomplete");
    expect(response).toMatchObject(incomplete);
  });

  test("is repeated from what was stored, as a whole sequence of events", () => {
    const output = [
      {
        id: "rs_up",
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        content: [{ type: "reasoning_text", text: "hm hm" }],
        encrypted_content: "gAAA",
      },
      {
        ...ITEM,
        content: [
          { type: "refusal", refusal: "no" },
          { ...CONTENT[0], annotations: [{ type: "x" }] },
        ],
      },
      CALL,
      CUSTOM_CALL,
      { id: "ws_up", type: "web_search_call", status: "completed" },
    ];
    const { events: seen, faults } = streamed([done("stop", { ...WHOLE, output })]);
    expect(faults).toEqual([]);
    expect(seen.filter(({ type }) => type === "response.output_item.done")).toHaveLength(5);
    expect(seen.some(({ type }) => type === "response.output_text.annotation.added")).toBe(true);
  });

  test("has every key of the published schema in a reply in one piece", () => {
    const { object } = formsFor();
    const { extra: _, ...published } = WHOLE;
    const { text } = object.ended(JSON.stringify(WHOLE.output), paidFor([], { wire: published }));
    expect(responseReplySchema.parse(JSON.parse(text))).toMatchObject({ status: "completed", store: false });
  });
});
