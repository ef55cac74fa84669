import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { completion, deltaFrame, frame, goodFrames, ROLE, STREAM_HEAD } from "../upstream/chat-wire.ts";
import { chunked, headText, type RawServer, startRawServer } from "../upstream/raw-http.ts";
import { balanceOf, type ChatClient, createChatClient } from "./openai-chat-client.ts";

const OVERLOADED = { error: { message: "overloaded", code: 503 } };
const ANSWER = "from the second";

/** What the first target sends, piece by piece. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  "an-event-of-error": [ROLE, `event: error\ndata: ${JSON.stringify(OVERLOADED)}\n\n`],
  "a-chunk-of-error": [ROLE, frame(OVERLOADED)],
  "an-end-too-early": [ROLE],
  "an-error-after-words": [ROLE, deltaFrame({ content: "Hi" }), frame(OVERLOADED)],
};

const HALF_A_REPLY = "half-a-reply";
/** Statuses of a first target that has sent nothing else. */
const STATUSES = ["408", "429", "500", "503", "504", "529"];

let asked: string[] = [];
let own: TestOrganization;
let upstream: RawServer;
let gateway: TestGateway;
let settings: SettingsFile;
let client: ChatClient;
beforeAll(async () => {
  upstream = await startRawServer(async ({ request, write, push, socket }) => {
    const { model } = JSON.parse(request.text) as { model: string };
    asked.push(model);
    if (model === HALF_A_REPLY) {
      const reply = completion();
      write(headText(200, { "content-type": "application/json", "content-length": String(reply.length) }));
      await push(reply.slice(0, 40));
      socket.destroy();
      return;
    }
    if (STATUSES.includes(model)) {
      write(headText(Number(model), { "content-length": "0" }));
      return;
    }
    write(STREAM_HEAD);
    for (const each of FIRST[model] ?? goodFrames([ANSWER])) {
      await push(chunked(each));
      // Otherwise one read might deliver two pieces.
      await Bun.sleep(5);
    }
    await push("0\r\n\r\n");
  });
  const models = [...Object.keys(FIRST), HALF_A_REPLY, ...STATUSES].map((name) => `${name}|ok`);
  // Too long to be requested in one piece.
  const limits = { context_tokens: 1_000_000, max_output_tokens: 100_000 };
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, models, { limits }));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
  client = createChatClient(gateway, own);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

const asking = (name: string) => ({
  model: `${name}_ok`,
  messages: [{ role: "user", content: "Hello" }],
  max_tokens: 50_000,
});

test.each(["an-event-of-error", "a-chunk-of-error", "an-end-too-early"])(
  "a whole reply comes from the next target if the first fails after sending only its role: %s",
  async (name) => {
    const { choices } = await client.reply(asking(name));
    expect(choices[0]?.message).toEqual({ role: "assistant", content: ANSWER, refusal: null } as never);
  },
);

test.each(STATUSES)("the next target is called if the first answers %s", async (status) => {
  for (const max_tokens of [50, 50_000]) {
    asked = [];
    const { choices } = await client.reply({ ...asking(status), max_tokens });
    expect(choices[0]?.message.content).toBe(ANSWER);
    expect(asked).toEqual([status, "ok"]);
  }
});

test("a target that fails after sending text ends the call with 502", async () => {
  const response = await client.post(asking("an-error-after-words"));
  expect(response.status).toBe(502);
});

test.each([
  ["requested whole", 50],
  ["requested as a stream", 50_000],
])("half a reply is a 502 without a second target or a charge: %s", async (_, maxTokens) => {
  const before = await balanceOf(gateway, own);
  asked = [];
  const response = await client.post({ ...asking(HALF_A_REPLY), max_tokens: maxTokens });
  expect(response.status).toBe(502);
  expect(asked).toEqual([HALF_A_REPLY]);
  expect(await balanceOf(gateway, own)).toEqual(before);
});
