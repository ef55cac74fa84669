import { afterEach, expect, test } from "bun:test";
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ChatEvent } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { callOf, events, HELLO, QUIRKS, startTestUpstream, type TestUpstream } from "../testing.ts";
import { createStreamDecoder } from "./decode-stream.ts";

let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

const usage = { input_tokens: 10, output_tokens: 7 };
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

test("a tool that the provider ran itself is not reported as a call", async () => {
  const id = "srvtoolu_1";
  const arrived = events(
    {
      type: "message_start",
      message: { id: "msg_a", role: "assistant", model: "claude", content: [], usage },
    },
    ...block(
      0,
      { type: "server_tool_use", id, name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":"Bern"}' },
    ),
    ...block(1, { type: "web_search_tool_result", tool_use_id: id, content: [] }),
    ...block(2, { type: "text", text: "" }, { type: "text_delta", text: "Rain" }),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  );
  upstream = startTestUpstream(arrived);
  expect(await callOf(upstream.provider(createAnthropicProvider))).toEqual([
    expect.objectContaining({ type: "input" }),
    { type: "text", text: "Rain" },
    expect.objectContaining({ type: "finish", reason: "stop" }),
  ]);
});

test("input usage is reported with the first text, not before", async () => {
  const start = {
    type: "message_start",
    message: { id: "a", role: "assistant", model: "c", content: [], usage },
  };
  const [open = {}, ...text] = block(0, { type: "text", text: "" }, { type: "text_delta", text: "Rain" });
  const batches = async (...sent: readonly object[]) => {
    upstream = startTestUpstream(
      events(start, ...sent, { type: "error", error: { type: "api_error", message: "no" } }),
    );
    const context = { requestId: "test", signal: new AbortController().signal };
    const types: string[] = [];
    try {
      const stream = upstream.provider(createAnthropicProvider).text?.chat("claude-opus-5", HELLO, context);
      for await (const batch of stream ?? []) types.push(batch.map(({ type }) => type).join());
    } catch {
      types.push("failed");
    }
    return types;
  };
  expect(await batches({ type: "ping" }, open)).toEqual(["failed"]);
  upstream?.close();
  expect(await batches(open, ...text)).toEqual(["input,text", "failed"]);
});

test("NUL and half characters in text, reasoning and arguments become U+FFFD", () => {
  const out: ChatEvent[] = [];
  const decoder = createStreamDecoder(QUIRKS, { secrets: [] });
  decoder.push({ type: "text-delta", id: "0", delta: "a\0b\ud83d" }, out);
  decoder.push({ type: "reasoning-delta", id: "1", delta: "\ude00" }, out);
  decoder.push({ type: "tool-input-start", id: "c", toolName: "look" }, out);
  decoder.push({ type: "tool-input-delta", id: "c", delta: '{"at":"\0"}' }, out);
  expect(out.flatMap((event) => ("text" in event ? event.text : []))).toEqual([
    "a\ufffdb\ufffd",
    "\ufffd",
    '{"at":"\ufffd"}',
  ]);
});

test.each(["", "toolu_1"])("calls that all have the id %p get distinct ids", async (id) => {
  const call = (index: number, given: string) =>
    block(
      index,
      { type: "tool_use", id, name: "look", input: {} },
      { type: "input_json_delta", partial_json: given },
    );
  upstream = startTestUpstream(
    events(
      { type: "message_start", message: { id: "a", role: "assistant", model: "c", content: [], usage } },
      ...call(0, '{"a":1}'),
      ...call(1, '{"b":2}'),
      ...call(2, ""),
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
      { type: "message_stop" },
    ),
  );
  const tools = [{ name: "look", parameters: { type: "object", properties: {} } }];
  const answer = (await callOf(upstream.provider(createAnthropicProvider), { tools })) as ChatEvent[];
  const starts = answer.flatMap((event) => (event.type === "tool_start" ? [event] : []));
  expect(starts.map(({ call }) => call)).toEqual([0, 1, 2]);
  expect(new Set(starts.map((start) => start.id)).size).toBe(3);
  expect(starts.every((start) => start.id !== "")).toBe(true);
  const given = answer.flatMap((event) =>
    event.type === "tool_arguments" ? [[event.call, event.text]] : [],
  );
  expect(given).toEqual([
    [0, '{"a":1}'],
    [1, '{"b":2}'],
    [2, "{}"],
  ]);
});

test.each([
  ["malformed_model_output", "failed"],
  ["malformed_tool_use", "failed"],
  ["TIMEOUT", "failed"],
  ["refusal", "content_filter"],
  ["ERROR_TOXIC", "content_filter"],
  ["ERROR_LIMIT", "length"],
  ["BRAND_NEW", "stop"],
] as const)("a finish reason unknown to the library is mapped by us: %s", (raw, expected) => {
  const out: ChatEvent[] = [];
  const counts = { inputTokens: { total: 3 }, outputTokens: { total: 2 } } as LanguageModelV4Usage;
  const finishReason = { unified: "other", raw } as const;
  const end = () =>
    createStreamDecoder(QUIRKS, { secrets: [] }).push({ type: "finish", finishReason, usage: counts }, out);
  if (expected === "failed") {
    expect(end).toThrow("could not finish its answer");
    return;
  }
  end();
  expect(out).toEqual([expect.objectContaining({ type: "finish", reason: expected })]);
});
