import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";

type Message = Readonly<Record<string, unknown>>;

/** A chat-completions upstream that records what it was asked. */
let asked: readonly Message[] = [];
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    ({ messages: asked } = (await request.json()) as { messages: readonly Message[] });
    const message = { role: "assistant", content: "A cat." };
    return Response.json({
      id: "theirs",
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  const reached = { base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: "sk-test" };
  const model = (id: string, provider: string, capabilities: readonly string[]) => ({
    id,
    name: id,
    type: "text",
    targets: [{ provider, model: "m" }],
    credits_per_request: 1,
    price: { input_per_million: 1_000, output_per_million: 1_000 },
    limits: { context_tokens: 200_000, max_output_tokens: 100 },
    capabilities,
  });
  settings = writeSettings({
    providers: {
      any: { kind: "openai-wire", ...reached },
      theirs: { kind: "openai", responses: false, ...reached },
    },
    models: [
      model("joining", "any", ["tools", "images"]),
      model("listing", "theirs", ["tools", "images"]),
      model("blind", "any", ["tools"]),
    ],
  });
  gateway = await startTestGateway(settings.environment);
  ({ key } = await gateway.found({ credits: 100_000 }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const URL = "data:image/png;base64,iVBORw0KGgo=";
const call = { name: "look", arguments: "{}" };

/** The same conversation on both routes. */
const ASKED = [
  [
    "/v1/chat/completions",
    {
      messages: [
        { role: "user", content: "What is it?" },
        { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: call }] },
        {
          role: "tool",
          tool_call_id: "c1",
          content: [
            { type: "text", text: "T1" },
            { type: "image_url", image_url: { url: URL } },
          ],
        },
      ],
    },
  ],
  [
    "/v1/responses",
    {
      input: [
        { role: "user", content: "What is it?" },
        { type: "function_call", call_id: "c1", ...call },
        {
          type: "function_call_output",
          call_id: "c1",
          output: [
            { type: "input_text", text: "T1" },
            { type: "input_image", image_url: URL },
          ],
        },
      ],
    },
  ],
] as const;

test.each(ASKED)(
  "an image in a tool result reaches the model, or is refused if the model takes no images: %s",
  async (path, body) => {
    const ask = (model: string) =>
      fetch(`${gateway.origin}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, ...body }),
      });
    const text = (words: string) => ({ type: "text", text: words });
    const opening = text("Attached to the tool results above:");
    const behind = { role: "user", content: [opening, { type: "image_url", image_url: { url: URL } }] };
    for (const [model, content] of [
      ["joining", "T1\n[image]"],
      ["listing", [text("T1"), text("[image]")]],
    ] as const) {
      const answered = await ask(model);
      expect([answered.status, asked.length]).toEqual([200, 4]);
      expect(asked.slice(2)).toEqual([{ role: "tool", tool_call_id: "c1", content }, behind]);
    }
    expect((await ask("blind")).status).toBe(400);
  },
);
