import { afterEach, describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const START = {
  type: "message_start",
  message: {
    id: "msg_a",
    role: "assistant",
    model: "claude",
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 },
  },
};
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const SURE = block(1, { type: "text", text: "" }, { type: "text_delta", text: "Sure" });
const END = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];

function answer(...between: readonly object[]) {
  upstream = startTestUpstream(events(START, ...between, ...END));
  return callOf(upstream.provider(createAnthropicProvider));
}

const WHOLE: ChatEvent[] = [
  { type: "input", usage: { inputTokens: 15, cachedInputTokens: 5, cacheWriteTokens: 0 } },
  { type: "text", text: "Sure" },
  {
    type: "finish",
    reason: "stop",
    usage: { inputTokens: 15, outputTokens: 7, cachedInputTokens: 5 },
  },
];

/** The provider asks clients to expect new events. */
describe("unknown parts of a stream are skipped, and text and usage are complete", () => {
  test("an unknown event", async () => {
    expect(await answer({ type: "brand_new_event", more: { a: 1 } }, ...SURE)).toEqual(WHOLE);
  });

  test("an unknown block with all its deltas", async () => {
    const pieces = [
      { type: "text_delta", text: "not for you" },
      { type: "thinking_delta", thinking: "nor this" },
      { type: "signature_delta", signature: "c2ln" },
      { type: "input_json_delta", partial_json: "{}" },
      { type: "brand_new_delta", x: 1 },
    ];
    const before = block(0, { type: "thinking", thinking: "", signature: "" });
    const unknown = block(3, { type: "brand_new_block", x: 1 }, ...pieces);
    expect(await answer(...before, ...unknown, ...SURE)).toEqual(WHOLE);
  });

  test("an unknown delta in a known block", async () => {
    const [open = {}, ...rest] = SURE;
    const piece = { type: "content_block_delta", index: 1, delta: { type: "brand_new_delta", x: 1 } };
    expect(await answer(open, piece, ...rest)).toEqual(WHOLE);
  });
});

describe("malformed parts of a known kind are unavailable", () => {
  test.each([
    ["a call without a name", block(0, { type: "tool_use", id: "toolu_1" })],
    ["a text delta without text", block(0, { type: "text", text: "" }, { type: "text_delta" })],
    ["an event without a type", [{ more: 1 }]],
  ])("%s", async (_what, broken) => {
    expect(await answer(...broken, ...SURE)).toMatchObject({ kind: "unavailable" });
  });
});
