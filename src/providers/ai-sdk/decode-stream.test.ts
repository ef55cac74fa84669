import { afterEach, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const usage = { input_tokens: 10, output_tokens: 7 };
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

test("what the provider ran by itself is no call: nobody is asked to run it again", async () => {
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
    { type: "text", text: "Rain" },
    expect.objectContaining({ type: "finish", reason: "stop" }),
  ]);
});
