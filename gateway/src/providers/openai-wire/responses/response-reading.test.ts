import { describe, expect, test } from "bun:test";
import { MAX_FOREIGN_VALUES } from "../../../kit/index.ts";
import { decodeReply } from "../decode/decode-reply.ts";
import { expecting, streamed, testMark } from "../testing.ts";
import { neutralResponseReading, responseReading } from "./response-reading.ts";

type Json = Record<string, unknown>;
const message = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
};
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
};
const response = (more: Json = {}): Json => ({
  id: "r",
  object: "response",
  status: "completed",
  output: [message],
  usage,
  ...more,
});

let sequence = 0;
const event = (type: string, fields: Json = {}): Json => ({ type, sequence_number: sequence++, ...fields });
const completed = (more: Json = {}) => event("response.completed", { response: response(more) });
const read = (...events: unknown[]) => streamed(responseReading(expecting()), events);
const whole = (reply: unknown) =>
  decodeReply(JSON.stringify(reply), responseReading(expecting({ secrets: ["canary-1"] })));

describe("unreadable content of a response", () => {
  const wrong: unknown[] = [null, "Hi", { ...message, content: { a: 1 } }, { ...message, content: 5 }];

  test.each(wrong.map((item) => [JSON.stringify(item), item]))("fails the answer: %s", (_, item) => {
    const given = response({ output: [item] });
    expect(() => whole(given)).toThrow(/^unavailable/);
    expect(() => decodeReply(JSON.stringify(given), neutralResponseReading(expecting()))).toThrow(
      /^unavailable/,
    );
    expect(() => read(completed({ output: [item] }))).toThrow(/^unavailable/);
  });

  test.each([[{ a: 1 }], [5]])("fails the answer if it is a delta: %j", (delta) => {
    const piece = event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta });
    expect(() => read(piece, completed())).toThrow(/^unavailable/);
  });

  test("is not a message whose content is plain text", () => {
    const given = JSON.stringify(response({ output: [{ ...message, content: "Hi" }] }));
    expect(decodeReply(given, neutralResponseReading(expecting()))[0]).toEqual({ type: "text", text: "Hi" });
  });
});

describe("a streamed response", () => {
  test.each([
    ["is nested too deeply", `${"[".repeat(1_000)}${"]".repeat(1_000)}`],
    ["has too many values", `[${"{},".repeat(MAX_FOREIGN_VALUES / 6)}{}]`],
  ])("fails if an event of it %s", (_, more) => {
    const excessive = JSON.stringify(completed()).replace("{", `{"more":${more},`);
    expect(() => read(excessive)).toThrow(/^unavailable/);
  });

  test("is passed on event by event without type and sequence number; the last event is the finish", () => {
    const begun = { ...message, content: [] };
    const delta = {
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: 'H"i\n',
      logprobs: [],
      obfuscation: "x",
    };
    const [hi] = message.content;
    const part = { item_id: "msg_1", output_index: 0, content_index: 0, part: hi };
    const { wire, chunks, finish } = read(
      event("response.created", { response: { id: "r" } }),
      event("response.output_item.added", { output_index: 0, item: begun }),
      event("response.content_part.added", part),
      event("response.output_text.delta", delta),
      event("response.content_part.done", part),
      completed(),
    );
    expect(wire.map((each) => [each.event, each.written])).toEqual([
      ["response.created", ""],
      ["response.output_item.added", ""],
      ["response.content_part.added", ""],
      ["response.output_text.delta", 'H"i\n'],
      ["response.content_part.done", ""],
    ]);
    expect(chunks).toEqual([{ response: { id: "r" } }, { output_index: 0, item: begun }, part, delta, part]);
    expect(finish).toEqual({
      type: "finish",
      reason: "stop",
      usage: { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
      whole: response(),
    });
  });

  test.each([
    '{"type":"response.x","sequence_number":12,"a":{"type":"t","sequence_number":5},"b":1}',
    '{"sequence_number":12,"type":"response.x","a":{"type":"t","sequence_number":5},"b":1}',
    '{"type":"response.x","a":{"type":"t","sequence_number":5},"b":1,"sequence_number":12}',
    '{"a":{"type":"t","sequence_number":5},"type":"response.x","b":1}',
    '{"type":"response.x",\n"sequence_number":12,"a":{"type":"t","sequence_number":5},"b":1}',
    '{"type":"response.x","b":1,"a":{"type":"t","sequence_number":5}}',
    '{"type":"response.x","sequence_number":12,"a":{"type":"t","sequence_number":5},"b":1} ',
    '{"type":"response.x","a":{"type":"t","sequence_number":5},"b":1,"sequence_number":12} ',
  ])("has the same members however its JSON is written: %s", (data) => {
    const { wire, chunks } = read(data, completed());
    expect(chunks).toEqual([{ a: { type: "t", sequence_number: 5 }, b: 1 }]);
    expect(wire[0]?.members).not.toMatch(/[\r\n]/);
  });

  test.each([
    '{"type":"response.x","sequence_number":1}',
    '{"type":"response.x"}',
    '{"type":"response.x\\ndata: forged","a":1}',
    '{"type":"other.x","a":1}',
  ])("loses events that are empty or not of a response: %s", (data) => {
    expect(read(data, completed()).wire).toEqual([]);
  });

  test("takes event names from the stream if the data has none, and ignores keep-alives", () => {
    const decoder = responseReading(expecting()).stream();
    expect(decoder.push([{ event: "response.x", data: '{"a":1}' }])).toEqual([
      { type: "wire", event: "response.x", members: '"a":1', written: "" },
    ]);
    expect(decoder.push([{ event: "keepalive", data: '{"type":"keepalive","sequence_number":3}' }])).toEqual(
      [],
    );
    expect(decoder.push([{ event: "message", data: "[DONE]" }])).toEqual([]);
  });

  test("ends with its last event: what follows is ignored", () => {
    expect(read(completed(), "not JSON").finish.reason).toBe("stop");
  });

  test.each<[string, Json, string]>([
    ["calls", { output: [{ type: "function_call" }] }, "tool_calls"],
    ["custom tool calls", { output: [{ type: "custom_tool_call" }] }, "tool_calls"],
    ["a limit", { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
    [
      "a filter",
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      "content_filter",
    ],
  ])("has the finish reason of its result: %s", (_, more, reason) => {
    const type = more["status"] === "incomplete" ? "response.incomplete" : "response.completed";
    expect(read(event(type, { response: response(more) })).finish.reason).toBe(reason as never);
  });

  test("gets an empty final output filled with the items that were sent", () => {
    const done = (at: number, item: Json) => event("response.output_item.done", { output_index: at, item });
    const other = { ...message, id: "msg_2" };
    const { finish } = read(done(1, message), done(0, other), completed({ output: [] }));
    expect(finish.whole?.["output"]).toEqual([message, other]);
  });

  test("has encrypted content marked with the provider, in items and in the final output", () => {
    const plain = { type: "reasoning", summary: [] };
    const thought = (encrypted_content?: unknown) => ({ ...plain, id: "rs_1", encrypted_content });
    const bare = { ...plain, id: "rs_2" };
    const other = { type: "compaction", id: "cmp_1", encrypted_content: "c" };
    const told = (type: string, item: Json) => event(type, { output_index: 0, item });
    const reading = responseReading(expecting(), testMark);
    const { chunks, finish } = streamed(reading, [
      told("response.output_item.added", thought("e0")),
      told("response.output_item.done", thought("e1")),
      event("response.output_item.done", { output_index: 1, item: other }),
      completed({ output: [thought("e1"), other, bare, message] }),
    ]);
    expect(chunks.map(({ item }) => item)).toEqual([
      thought("acme:e0"),
      thought("acme:e1"),
      { ...other, encrypted_content: "acme:c" },
    ]);
    const marked = [thought("acme:e1"), { ...other, encrypted_content: "acme:c" }, bare, message];
    expect(finish.whole?.["output"]).toEqual(marked);
    const reply = JSON.stringify(response({ output: [thought("e1"), other, bare, message] }));
    const [end] = decodeReply(reply, responseReading(expecting(), testMark));
    expect(end).toMatchObject({ whole: { output: JSON.parse(JSON.stringify(marked)) } });
  });

  test("without a last event fails as broken off", () => {
    expect(() => read(event("response.created"))).toThrow("broke off");
    expect(() => read()).toThrow("broke off");
  });

  test.each<[string, Json, string]>([
    [
      "an error",
      event("error", { code: "rate_limit_exceeded", message: "slow down" }),
      "rate_limited: slow down",
    ],
    [
      "a wrapped error",
      { error: { message: "no such tool", type: "invalid_request_error" } },
      "rejected: no",
    ],
    [
      "a failed response",
      event("response.failed", {
        response: { status: "failed", error: { code: "server_error", message: "oops" } },
      }),
      "unavailable: oops",
    ],
    [
      "a rejected prompt",
      event("response.failed", {
        response: { status: "failed", error: { code: "invalid_prompt", message: "bad" } },
      }),
      "rejected: bad",
    ],
    ["a cancelled response", event("response.cancelled", { response: { status: "cancelled" } }), "broke off"],
  ])("fails on %s", (_, told, said) => {
    expect(() => read(event("response.created"), told)).toThrow(said);
  });

  describe.each([
    ["wire events", responseReading(expecting())],
    ["neutral events", neutralResponseReading(expecting())],
  ])("in %s,", (_, reading) => {
    const ended = (type: string, more: Json = {}) => {
      const decoder = reading.stream();
      decoder.push([{ event: "message", data: JSON.stringify({ type, response: response(more) }) }]);
      return decoder.end().at(-1);
    };

    test.each([undefined, null])("ends as the type of its last event says if its status is %p", (status) => {
      expect(ended("response.completed", { status })).toMatchObject({ reason: "stop" });
      expect(ended("response.incomplete", { status })).toMatchObject({ reason: "length" });
      const filtered = { status, incomplete_details: { reason: "content_filter" } };
      expect(ended("response.incomplete", filtered)).toMatchObject({ reason: "content_filter" });
      expect(() => ended("response.failed", { status })).toThrow(/^unavailable/);
      expect(() => ended("response.cancelled", { status })).toThrow("broke off");
    });

    test("ends as its status says if it has one", () => {
      expect(ended("response.incomplete")).toMatchObject({ reason: "stop" });
    });
  });

  test("gets a missing status from its last event", () => {
    const { finish } = read(event("response.incomplete", { response: response({ status: undefined }) }));
    expect(finish.whole?.["status"]).toBe("incomplete");
  });

  test.each(["{", "5", "null", "<html>"])("fails on unreadable data: %s", (data) => {
    expect(() => read(data)).toThrow("could not be read");
  });
});

describe("a response in one piece", () => {
  test("is a single finish event", () => {
    expect(whole(response())).toEqual([
      expect.objectContaining({ type: "finish", reason: "stop", whole: response() }),
    ]);
  });

  test("has its items completed with the fields that clients expect", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "c", name: "f", namespace: null };
    const thought = { type: "reasoning", id: "rs_1", content: null, status: null };
    const { id, type } = message;
    const output = [thought, { type, id, content: "Hi" }, { ...call, arguments: { a: 1 } }];
    const [finish] = whole(response({ output }));
    expect(JSON.parse(JSON.stringify(finish))).toMatchObject({
      whole: {
        output: [
          { type: "reasoning", id: "rs_1", summary: [] },
          message,
          {
            type: "function_call",
            id: "fc_1",
            call_id: "c",
            name: "f",
            arguments: '{"a":1}',
            status: "completed",
          },
        ],
      },
    });
    expect(JSON.stringify(finish)).not.toMatch(/"(?:namespace|status|content)":null/);
  });

  test.each<[string, unknown, string]>([
    ["an error", { error: { message: "key canary-1 is wrong", code: 400 } }, "rejected"],
    ["failed", response({ status: "failed", error: { code: "server_error", message: "x" } }), "unavailable"],
    ["still running", response({ status: "in_progress" }), "broke off"],
    ["without output", { object: "chat.completion", choices: [] }, "could not be read"],
    ["an unrelated object", { ok: true }, "could not be read"],
  ])("that is %s fails", (_, reply, said) => {
    expect(() => whole(reply)).toThrow(said);
    expect(() => whole(reply)).not.toThrow("canary");
  });
});
