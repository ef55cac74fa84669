import { afterEach, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { callOf, startTestUpstream, type TestUpstream } from "../testing.ts";

const INSTRUCTIONS: ChatMessage = { role: "system", content: "Greet." };
const SILENCE = { role: "user", content: [{ type: "text", text: "(no message)" }] };

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sent(...messages: readonly ChatMessage[]) {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 403 }));
  await callOf(upstream.provider(createAnthropicProvider), { messages }, { model: "claude-sonnet-4-5" });
  return upstream.sent[0]?.body as { readonly system: unknown; readonly messages: readonly unknown[] };
}

test("Claude is asked something if a client sends only instructions", async () => {
  const { system, messages } = await sent(INSTRUCTIONS);
  expect(system).toEqual([{ type: "text", text: "Greet." }]);
  expect(messages).toEqual([SILENCE]);
});

test("Claude is asked something if the user's last message is blank", async () => {
  const { messages } = await sent(
    { role: "user", content: "Look." },
    { role: "assistant", content: "Where?" },
    { role: "user", content: " \n" },
  );
  expect(messages.slice(1)).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Where?" }] },
    SILENCE,
  ]);
});

test("a blank result of a tool is sent to Claude as it is", async () => {
  const { messages } = await sent(
    { role: "user", content: "Look." },
    { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "" },
  );
  expect(messages.at(-1)).toMatchObject({ role: "user", content: [{ tool_use_id: "c1", content: "" }] });
});
