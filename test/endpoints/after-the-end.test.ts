import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { DONE, deltaFrame, frame, STOP, usageFrame, usageOf } from "../upstream/chat-wire.ts";
import { chunked, headText, type RawServer, startRawServer } from "../upstream/raw-http.ts";
import { type ChatClient, callsOf, createChatClient, textOf, tool } from "./openai-chat-client.ts";

/** What the upstream sends, always as a stream whose connection stays open. */
let script: readonly string[] = [];
let upstream: RawServer;
let gateway: TestGateway;
let settings: SettingsFile;
let own: TestOrganization;
let client: ChatClient;
beforeAll(async () => {
  const head = headText(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
  upstream = await startRawServer(({ write }) =>
    write(Buffer.concat([Buffer.from(head), ...script.map(chunked)])),
  );
  const timeouts = { idle_ms: 100 };
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["m"], { timeouts }));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
  client = createChatClient(gateway, own);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

const ASK = { model: "m", messages: [{ role: "user", content: "Hello" }], tools: [tool("get_time")] };
const NATIVE = { model: ASK.model, messages: ASK.messages };

function native(more: object): Promise<Response> {
  return fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...NATIVE, ...more }),
  });
}

type Seen = { readonly text: string; readonly reason: unknown; readonly credits: unknown };

/** Every endpoint and form, and what its caller gets. */
const DOORS: readonly (readonly [string, () => Promise<Seen>])[] = [
  [
    "a stream of chunks",
    async () => {
      const chunks = await client.chunks(ASK);
      const last = chunks.at(-1);
      return {
        text: textOf(chunks),
        reason: last?.choices[0]?.finish_reason,
        credits: last?.credits_charged,
      };
    },
  ],
  [
    "a stream of chunks with usage",
    async () => {
      const chunks = await client.chunks({ ...ASK, stream_options: { include_usage: true } });
      const [reason] = chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
      return { text: textOf(chunks), reason, credits: chunks.at(-1)?.credits_charged };
    },
  ],
  [
    "a chat completion",
    async () => {
      const { choices, credits_charged: credits } = await client.reply(ASK);
      return { text: choices[0]?.message.content ?? "", reason: choices[0]?.finish_reason, credits };
    },
  ],
  [
    "the main interface",
    async () => {
      const reply = (await (await native({})).json()) as Record<string, unknown>;
      const { content: text } = reply["message"] as { content: string };
      return { text, reason: reply["finish_reason"], credits: reply["credits_charged"] };
    },
  ],
  [
    "a stream of the main interface",
    async () => {
      const frames = (await (await native({ stream: true })).text()).split("\n\n").filter(Boolean);
      const data = frames.map((each) => JSON.parse(each.slice(each.indexOf("data: ") + 6)));
      const end = data.at(-1);
      const text = data.map(({ content }) => content ?? "").join("");
      return { text, reason: end.finish_reason, credits: end.credits_charged };
    },
  ],
];

const endedWith = (usage: object) =>
  frame({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage,
  });
const HI = deltaFrame({ content: "Hi" });
const MORE = deltaFrame({ content: " there" });
/** 11 tokens in and 9 out, one credit each. */
const REPORTED = 20;

describe.each(DOORS)("an upstream that sends more text after its finish reason, read as %s", (_, see) => {
  test.each([
    ["the end reports usage", [HI, endedWith(usageOf(9)), MORE, DONE]],
    ["usage follows", [HI, STOP, MORE, usageFrame(usageOf(9)), DONE]],
    ["usage is reported twice", [HI, endedWith(usageOf(2)), MORE, usageFrame(usageOf(9)), DONE]],
    ["two finish reasons are sent", [HI, STOP, MORE, deltaFrame({}, "length"), usageFrame(usageOf(9)), DONE]],
    ["the connection stays open", [HI, STOP, MORE, usageFrame(usageOf(9))]],
  ])(
    "all text is delivered, the end comes last, and the last reported usage is charged: %s",
    async (_name, frames) => {
      script = frames;
      expect(await see()).toEqual({ text: "Hi there", reason: "stop", credits: REPORTED });
    },
  );
});

test("a tool call after the finish reason is delivered with finish_reason tool_calls, streamed or not", async () => {
  const made = { name: "get_time", arguments: '{"zone":"CET"}' };
  const call = deltaFrame({ tool_calls: [{ index: 0, id: "c1", type: "function", function: made }] });
  script = [HI, STOP, call, usageFrame(usageOf(9)), DONE];
  const chunks = await client.chunks(ASK);
  expect(callsOf(chunks)).toEqual([{ id: "c1", ...made }]);
  expect(chunks.at(-1)).toMatchObject({
    choices: [{ finish_reason: "tool_calls" }],
    credits_charged: REPORTED,
  });
  const { choices, credits_charged } = await client.reply(ASK);
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { tool_calls: [{ function: made }] },
  });
  expect(credits_charged).toBe(REPORTED);
});
