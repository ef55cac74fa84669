/** What a model said comes back with the next question, as docs/clients.md promises. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type LanguageModel, type ModelMessage } from "ai";
import { z } from "zod";
import { ALOUD, SAID_ALOUD } from "../upstream/scripted-answer.ts";
import { agentsChat } from "./clients/agents.ts";
import { type ScriptedGateway, startScriptedGateway } from "./scripted-gateway.ts";

let scripted: ScriptedGateway;
beforeAll(async () => {
  scripted = await startScriptedGateway();
});
afterAll(() => scripted.close());

const SAID = "The answer is 42.";
const STORE_NOTHING = { openai: { store: false } };
type MakeModel = (sdk: ReturnType<typeof createOpenAI>, model: string) => LanguageModel;
const WIRES: readonly { wire: string; modelOf: MakeModel; providerOptions?: typeof STORE_NOTHING }[] = [
  { wire: "chat", modelOf: (sdk, model) => sdk.chat(model) },
  { wire: "responses", modelOf: (sdk, model) => sdk.responses(model), providerOptions: STORE_NOTHING },
];

/** What the upstream receives with the second question. */
async function secondTurn(asked: string, { modelOf, providerOptions }: (typeof WIRES)[number]) {
  const { key } = await scripted.gateway.found();
  const model = modelOf(createOpenAI({ baseURL: `${scripted.gateway.origin}/v1`, apiKey: key }), asked);
  const options = { model, ...(providerOptions && { providerOptions }) };
  const messages: ModelMessage[] = [{ role: "user", content: "What is it?" }];
  const { response } = await generateText({ ...options, messages });
  messages.push(...response.messages, { role: "user", content: "And why?" });
  await generateText({ ...options, messages });
  return JSON.stringify(scripted.upstream.received.at(-1)?.body);
}

describe.each(["scripted", "scripted-both"])("with the model %s", (model) => {
  test.each(WIRES)(
    "@ai-sdk/openai $wire sends the model's earlier answer in the second turn",
    async (wire) => {
      const sent = await secondTurn(model, wire);
      expect(sent).toContain("And why?");
      expect(sent).toContain(SAID);
    },
  );

  test("@ai-sdk/openai responses sends only ids by default, and is told to set store: false", async () => {
    const sent = secondTurn(model, { wire: "responses", modelOf: (sdk, id) => sdk.responses(id) });
    await expect(sent).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("store: false"),
    });
    expect(JSON.stringify(scripted.upstream.received.at(-1)?.body)).not.toContain("And why?");
  });
});

describe("@openai/agents chat, which copies our whole message into its text part", () => {
  const tool = { name: "weather", parameters: z.object({ city: z.string() }), run: () => "sunny" };
  const prompt = `Think ${ALOUD}. <<weather {"city":"Oslo"}>>`;

  test.each([
    ["scripted", "ask"],
    ["scripted", "stream"],
    ["scripted-openai", "ask"],
    ["scripted-openai", "stream"],
  ] as const)("with %s, %s: only the text is sent on", async (model, form) => {
    const { key } = await scripted.gateway.found();
    const access = { origin: scripted.gateway.origin, key, maxRetries: 0 };
    const { text } = await agentsChat[form](access, { model, prompt, tools: [tool] });
    expect(text).toContain("sunny");
    const messages = scripted.upstream.received.at(-1)?.body["messages"] as Record<string, unknown>[];
    expect(messages.find(({ role }) => role === "assistant")).toEqual({
      role: "assistant",
      content: [{ type: "text", text: SAID_ALOUD }],
      tool_calls: [
        {
          id: expect.any(String),
          type: "function",
          function: { name: "weather", arguments: '{"city":"Oslo"}' },
        },
      ],
    });
  });
});
