import { afterEach, describe, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest, ContentPart } from "../../../contract/index.ts";
import { createBedrockProvider } from "../bedrock.ts";
import { callOf, startTestUpstream, type TestUpstream } from "../testing.ts";

const TOOLS = [{ name: "look", parameters: { type: "object", properties: {} } }];
const ASK: ChatMessage = { role: "user", content: "Look." };
const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c1", name: "look", arguments: "{}" }],
};
const result = (content: string | readonly ContentPart[]): ChatMessage => ({
  role: "tool",
  toolCallId: "c1",
  content,
});

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sent(
  messages: readonly ChatMessage[],
  { model = "us.anthropic.claude-sonnet-5", ...more }: Partial<ChatRequest> & { model?: string } = {},
) {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 403 }));
  await callOf(upstream.provider(createBedrockProvider), { messages, ...more }, { model });
  const body = upstream.sent[0]?.body as { readonly messages: readonly Sent[] };
  upstream.close();
  return body.messages;
}

type Block = {
  readonly text?: string;
  readonly image?: unknown;
  readonly toolResult?: { readonly content: readonly Block[] };
};
type Sent = { readonly role: string; readonly content: readonly Block[] };

function resultIn(message: Sent | undefined): Block | undefined {
  return message?.content[0]?.toolResult?.content[0];
}

describe("a tool result", () => {
  const picture = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;
  const blank = { type: "text", text: " " } as const;

  test.each([[""], [" \n"], [[blank]]])("that is blank is sent as (no output): %j", async (content) => {
    const [, , last] = await sent([ASK, CALL, result(content)], { tools: TOOLS });
    expect(resultIn(last)).toEqual({ text: "(no output)" });
  });

  test.each([[[picture]], [[blank, picture]]])(
    "that is blank beside an image refers to it: %j",
    async (content) => {
      const [, , last] = await sent([ASK, CALL, result(content)], { tools: TOOLS });
      expect(last?.content[0]?.toolResult?.content).toEqual([
        { text: "The result is the attached file." },
        { image: expect.anything() },
      ]);
    },
  );

  test("with text is sent unchanged", async () => {
    const [, , last] = await sent([ASK, CALL, result(" 4\n")], { tools: TOOLS });
    expect(resultIn(last)).toEqual({ text: " 4\n" });
  });
});

test("a missing or empty user message is sent as (no message)", async () => {
  const silence = { role: "user", content: [{ text: "(no message)" }] };
  expect(await sent([{ role: "system", content: "Greet." }])).toEqual([silence]);
  expect(await sent([ASK, { role: "assistant", content: "Where?" }, { role: "user", content: "" }])).toEqual([
    { role: "user", content: [{ text: "Look." }] },
    { role: "assistant", content: [{ text: "Where?" }] },
    silence,
  ]);
});

describe("a conversation", () => {
  const begin = { role: "user", content: [{ text: "(The conversation begins.)" }] };
  const greeting: ChatMessage = { role: "assistant", content: "Hi." };
  const greeted = [
    { role: "assistant", content: [{ text: "Hi." }] },
    { role: "user", content: [{ text: "Look." }] },
  ];
  const strict = { model: "us.amazon.nova-pro-v1:0" };

  test("that begins with the model gets a user turn in front", async () => {
    const system: ChatMessage = { role: "system", content: "Be brief." };
    expect(await sent([system, greeting, ASK], strict)).toEqual([begin, ...greeted]);
  });

  test("that begins with a tool call gets a user turn in front", async () => {
    const [first, second] = await sent([CALL, result("4"), ASK], { ...strict, tools: TOOLS });
    expect(first).toEqual(begin);
    expect(second?.role).toBe("assistant");
  });

  test.each(["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "qwen.qwen3-32b-v1:0"])(
    "that begins with the model is sent unchanged to a model that accepts it: %s",
    async (model) => {
      expect(await sent([greeting, ASK], { model })).toEqual(greeted);
    },
  );

  test("that begins with the user is sent unchanged", async () => {
    expect(await sent([ASK], strict)).toEqual([{ role: "user", content: [{ text: "Look." }] }]);
  });
});
