import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { DONE, frame, USAGE, usageFrame } from "../upstream/chat-wire.ts";
import { type ChatClient, callsOf, createChatClient, readChunks, textOf } from "./openai-chat-client.ts";

/** An upstream of the same wire, whose stream carries more than the neutral form can express. */
let frames: readonly string[];
let asked = 0;
const upstream = Bun.serve({
  port: 0,
  fetch() {
    asked++;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(frames.join("")));
        // Without a closing frame, the stream stays open.
        if (frames.at(-1) === DONE) controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

let gateway: TestGateway;
let settings: SettingsFile;
let client: ChatClient;
beforeAll(async () => {
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["m"]));
  gateway = await startTestGateway(settings.environment);
  client = createChatClient(gateway, await gateway.found({ credits: 1_000_000 }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const ASK = { model: "m", messages: [{ role: "user", content: "Hello" }], stream: true };
const FOUND = { citations: ["https://a.example"], system_fingerprint: "fp_1" };
const LOGPROB = { token: "Hi", logprob: -1, bytes: null, top_logprobs: [] };

const piece = (delta: object, more: object = {}, choice: object = {}) =>
  frame({ choices: [{ index: 0, delta, finish_reason: null, ...choice }], ...more });
const note = (url: string) => ({ type: "url_citation", url_citation: { url } });
const call = (fragment: object) => piece({ tool_calls: [{ index: 0, ...fragment }] });

async function ask(key: string | null, more: object = {}): Promise<string> {
  const response = await client.post({ ...ASK, ...more }, key === null ? {} : { "idempotency-key": key });
  expect(response.status).toBe(200);
  return response.text();
}

/** Validated by the schema, except for a field that only this upstream has. */
const strictly = (text: string) => readChunks(text.replaceAll(/,"citations":\["[^"]*"\]/g, ""));

/** Everything that a stream says, assembled as a client does. */
function heard(text: string) {
  const chunks = strictly(text);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    text: textOf(chunks),
    calls: callsOf(chunks),
    refusal: choices.map(({ delta }) => delta.refusal ?? "").join(""),
    annotations: choices.flatMap(({ delta }) => delta.annotations ?? []),
    logprobs: choices.flatMap(({ logprobs }) => [...(logprobs?.content ?? []), ...(logprobs?.refusal ?? [])]),
    fingerprint: chunks[0]?.system_fingerprint,
    hasCitations: text.includes('"citations":["https://a.example"]'),
    reason: choices.at(-1)?.finish_reason,
    charged: chunks.at(-1)?.credits_charged,
  };
}

test("a stream with an Idempotency-Key has everything that it has without one, and so does its repeat", async () => {
  frames = [
    piece({ role: "assistant", content: "Hi" }, FOUND, { logprobs: { content: [LOGPROB], refusal: null } }),
    piece({ content: ".", annotations: [note("https://a.example")] }, FOUND),
    piece({ annotations: [note("https://b.example")] }),
    piece({ refusal: "No" }, {}, { logprobs: { content: null, refusal: [LOGPROB] } }),
    call({ id: "c", type: "function", function: { name: "f", arguments: "" } }),
    ...['{"x"', ":1", "}"].map((text) => call({ function: { arguments: text } })),
    piece({}, FOUND, { finish_reason: "stop" }),
    usageFrame(USAGE),
    DONE,
  ];
  const without = heard(await ask(null));
  expect(without).toMatchObject({
    text: "Hi.",
    calls: [{ id: "c", name: "f", arguments: '{"x":1}' }],
    refusal: "No",
    annotations: [note("https://a.example"), note("https://b.example")],
    logprobs: [LOGPROB, LOGPROB],
    fingerprint: "fp_1",
    hasCitations: true,
    reason: "tool_calls",
    charged: 20,
  });
  expect(heard(await ask("all"))).toEqual(without);
  const before = asked;
  expect(heard(await ask("all"))).toEqual(without);
  expect(asked).toBe(before);
});

test("the repeat of a stream that was cut at its limit is cut at the same place", async () => {
  frames = Array.from({ length: 300 }, () => piece({ content: "word ".repeat(40) }, FOUND));
  const first = await ask("cut", { max_tokens: 16 });
  const repeat = await ask("cut", { max_tokens: 16 });
  expect(heard(repeat)).toEqual(heard(first));
  expect(heard(first)).toMatchObject({ reason: "length", fingerprint: "fp_1" });
  expect(heard(first).text.length).toBeGreaterThan(100);
});

/** Read as a stream, because the length of the reasoning is unknown. */
const THINKING = { stream: false, reasoning_effort: "low" };

test("a whole reply assembled from a stream has everything of the stream, and so does its repeat", async () => {
  frames = [
    piece({
      role: "assistant",
      reasoning: "Hm",
      reasoning_details: [{ type: "reasoning.text", text: "Hm" }],
    }),
    piece({ content: "Hi" }, FOUND, { logprobs: { content: [LOGPROB], refusal: null } }),
    piece({ content: ".", annotations: [note("https://a.example")] }, FOUND),
    call({ id: "c", type: "function", function: { name: "f", arguments: "" } }),
    ...['{"x"', ":1", "}"].map((text) => call({ function: { arguments: text } })),
    piece({}, FOUND, { finish_reason: "stop" }),
    usageFrame(USAGE),
    DONE,
  ];
  const first = JSON.parse(await ask("reply", THINKING));
  expect(first).toMatchObject({
    ...FOUND,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Hi.",
          refusal: null,
          reasoning_content: "Hm",
          reasoning: "Hm",
          reasoning_details: [{ type: "reasoning.text", text: "Hm" }],
          annotations: [note("https://a.example")],
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
        },
        logprobs: { content: [LOGPROB], refusal: null },
        finish_reason: "tool_calls",
      },
    ],
    usage: { completion_tokens: USAGE.completion_tokens },
  });
  const before = asked;
  expect(JSON.parse(await ask("reply", THINKING))).toEqual(first);
  expect(asked).toBe(before);
});

test("a whole reply with only a tool call has null for content and refusal", async () => {
  const whole = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  frames = [call(whole), piece({}, {}, { finish_reason: "tool_calls" }), DONE];
  const { choices } = JSON.parse(await ask(null, THINKING));
  expect(choices[0].message).toEqual({
    role: "assistant",
    content: null,
    refusal: null,
    tool_calls: [whole],
  });
});

test("a whole reply cut at its limit contains what had arrived, and is charged", async () => {
  frames = Array.from({ length: 300 }, () => piece({ content: "word ".repeat(40) }, FOUND));
  const reply = JSON.parse(await ask(null, { ...THINKING, max_tokens: 16 }));
  expect(reply).toMatchObject({ ...FOUND, choices: [{ finish_reason: "length" }] });
  expect(reply.choices[0].message.content.length).toBeGreaterThan(100);
  expect(reply.credits_charged).toBeGreaterThan(0);
});
