import { afterEach, expect, test } from "bun:test";
import { createAnthropicProvider } from "../anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const started = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const begins = (index: number, block: object) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const says = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const stops = (index: number) => ({ type: "content_block_stop", index });
const ended = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const answerOf = (...list: readonly object[]) => {
  upstream = startTestUpstream(events(started, ...list, ...ended));
  return callOf(upstream.provider(createAnthropicProvider), {}, { model: "claude-opus-5" });
};
const input = { type: "input", usage: { inputTokens: 3 } };
const finish = { type: "finish", reason: "stop", usage: { inputTokens: 3, outputTokens: 7 } };

test("text in a block's start event is delivered, before its deltas or without any", async () => {
  const answer = await answerOf(
    begins(0, { type: "thinking", thinking: "So ", signature: "" }),
    says(0, { type: "thinking_delta", thinking: "then." }),
    stops(0),
    begins(1, { type: "text", text: 'Start: "' }),
    says(1, { type: "text_delta", text: "rest" }),
    stops(1),
    begins(2, { type: "text", text: " All." }),
    stops(2),
  );
  expect(answer).toMatchObject([
    input,
    { type: "reasoning", text: "So " },
    { type: "reasoning", text: "then." },
    { type: "text", text: 'Start: "' },
    { type: "text", text: "rest" },
    { type: "text", text: " All." },
    finish,
  ]);
});

test("a block that starts empty, or is a call, is delivered unchanged", async () => {
  const answer = await answerOf(
    begins(0, { type: "text", text: "" }),
    says(0, { type: "text_delta", text: "Hi" }),
    stops(0),
    begins(1, { type: "tool_use", id: "c", name: "f", input: { text: "a", thinking: "b" } }),
    stops(1),
  );
  expect(answer).toMatchObject([
    input,
    { type: "text", text: "Hi" },
    { type: "tool_start", name: "f" },
    { type: "tool_arguments", text: '{"text":"a","thinking":"b"}' },
    { ...finish, reason: "tool_calls" },
  ]);
});
