import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { completion, DONE, deltaFrame, frame, goodFrames } from "../upstream/chat-wire.ts";
import { type ChatClient, createChatClient, say, tool } from "./openai-chat-client.ts";

/** The requests of one organization must not close a target to the others, whatever they make it answer. */

type Answer = { readonly type: "text/event-stream" | "application/json"; readonly body: string };
const stream = (...frames: string[]): Answer => ({ type: "text/event-stream", body: frames.join("") });
const json = (body: object): Answer => ({ type: "application/json", body: JSON.stringify(body) });
const reply = (choice: object) => json({ id: "x", object: "chat.completion", choices: [choice] });
const google = (candidate: object): Answer => stream(frame({ candidates: [{ index: 0, ...candidate }] }));
const nested = (depth: number): object => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
const calls = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `c${at}`, function: { name: "get", arguments: "{}" } }));
const message = (fields: object) => ({ role: "assistant", content: null, ...fields });

/** Answers with status 200 that may be caused by a single request. */
const UP: Readonly<Record<string, Answer>> = {
  "a stream that ends in error": stream(deltaFrame({ role: "assistant", content: "" }, "error"), DONE),
  "a reply that ends in error": reply({ index: 0, message: message({}), finish_reason: "error" }),
  "a call that Google cannot read": reply({
    ...{ index: 0, message: message({}) },
    finish_reason: "function_call_filter: MALFORMED_FUNCTION_CALL",
  }),
  "a whole reply without choices": json({ object: "chat.completion", choices: [], usage: {} }),
  "a whole stream without choices": stream(frame({ choices: [] }), DONE),
  "an error that says no more": json({ error: "the prompt could not be rendered" }),
  "an error event of 418": stream(frame({ error: { message: "no", code: 418 } }), DONE),
  "more calls than anybody makes": reply({ index: 0, message: message({ tool_calls: calls(600) }) }),
  "arguments deeper than our bounds": reply({
    index: 0,
    message: message({ tool_calls: [{ id: "c", function: { name: "get", arguments: nested(600) } }] }),
  }),
};
const GOOGLE_UP: Readonly<Record<string, Answer>> = {
  UNEXPECTED_TOOL_CALL: google({ finishReason: "UNEXPECTED_TOOL_CALL" }),
  MALFORMED_FUNCTION_CALL: google({ finishReason: "MALFORMED_FUNCTION_CALL" }),
  "arguments deeper than our bounds": google({
    content: { role: "model", parts: [{ functionCall: { name: "get", args: nested(600) } }] },
  }),
};
/** Answers that speak of the server itself. */
const DOWN: Readonly<Record<string, Answer>> = {
  "an error that speaks of the server": stream(frame({ error: { message: "x", type: "server_error" } })),
  "an error of 503 inside a 200": json({ error: { message: "x", code: 503 } }),
  "no JSON": { type: "application/json", body: "<html>" },
  "a stream that breaks off": stream(frame({ choices: [] })),
};

const EVIL = "evil";
const named = { ...UP, ...DOWN };
const wireModels = Object.keys(named).map((name, at) => ({ name, id: `wire-${at}`, provider: "acme" }));
const googleModels = Object.keys(GOOGLE_UP).map((name, at) => ({
  name,
  id: `google-${at}`,
  provider: "gem",
}));
const models = [...wireModels, ...googleModels];

let reached = 0;
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const text = await request.text();
    reached += 1;
    const isGoogle = request.url.includes("/google/");
    const id = isGoogle ? /models\/([\w-]+)/.exec(request.url)?.[1] : JSON.parse(text)["model"];
    const { name = "" } = models.find((model) => model.id === id) ?? {};
    const bad = isGoogle ? GOOGLE_UP[name] : named[name];
    const good = isGoogle
      ? google({ content: { role: "model", parts: [{ text: "fine" }] }, finishReason: "STOP" })
      : text.includes('"stream":true')
        ? stream(...goodFrames())
        : { type: "application/json", body: completion() };
    const { type, body } = text.includes(EVIL) && bad !== undefined ? bad : good;
    return new Response(body, { headers: { "content-type": type } });
  },
});

let gateway: TestGateway;
let settings: SettingsFile;
let evil: ChatClient;
let good: ChatClient;
beforeAll(async () => {
  const origin = `http://127.0.0.1:${upstream.port}`;
  settings = writeSettings({
    providers: {
      acme: { kind: "openai-wire", base_url: `${origin}/v1`, api_key: "k" },
      gem: { kind: "google", base_url: `${origin}/google`, api_key: "k" },
    },
    models: models.map(({ id, provider }) => ({
      ...{ id, name: id, type: "text", targets: [{ provider, model: id }] },
      credits_per_request: 1,
      price: { input_per_million: 1, output_per_million: 1 },
      limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
    })),
  });
  gateway = await startTestGateway(settings.environment);
  evil = createChatClient(gateway, await gateway.found({ credits: 100_000 }));
  good = createChatClient(gateway, await gateway.found({ credits: 100_000 }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const FIVE = 5;

/** Five failures caused by one organization, then a good call: its status, and how often a target was asked. */
async function afterFive(name: string, provider: string, caller = good) {
  const model = models.find((each) => each.name === name && each.provider === provider)?.id;
  const ask = { ...say(EVIL), model, max_tokens: 100, tools: [tool("get")] };
  for (let at = 0; at < FIVE; at++) {
    const { status } = await evil.post({ ...ask, stream: at % 2 === 0 });
    expect(status).toBeOneOf([502, 503]);
  }
  const before = reached;
  const { status, headers } = await caller.post({ ...say("good"), model, max_tokens: 100 });
  return { status, asked: reached - before, waits: headers.has("retry-after") };
}

const SERVED = { status: 200, asked: 1, waits: false };

describe("failed answers that a request may have caused close the target to nobody", () => {
  test.each(Object.keys(UP))("%s", async (name) => {
    expect(await afterFive(name, "acme", evil)).toEqual(SERVED);
  });
  test.each(Object.keys(GOOGLE_UP))("from Google: %s", async (name) => {
    expect(await afterFive(name, "gem", evil)).toEqual(SERVED);
  });
});

describe("failed answers that blame the server close the target to their organization alone", () => {
  test.each(Object.keys(DOWN))("%s", async (name) => {
    expect(await afterFive(name, "acme")).toEqual(SERVED);
    expect(await afterFive(name, "acme", evil)).toEqual({ status: 503, asked: 0, waits: true });
  });
});
