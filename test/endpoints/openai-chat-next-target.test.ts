import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { deltaFrame, frame, goodFrames, ROLE, STREAM_HEAD } from "../upstream/chat-wire.ts";
import { chunked, type RawServer, startRawServer } from "../upstream/raw-http.ts";
import { type ChatClient, createChatClient } from "./openai-chat-client.ts";

const OVERLOADED = { error: { message: "overloaded", code: 503 } };
const ANSWER = "from the second";

/** What the first target says, piece by piece. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  "an-event-of-error": [ROLE, `event: error\ndata: ${JSON.stringify(OVERLOADED)}\n\n`],
  "a-chunk-of-error": [ROLE, frame(OVERLOADED)],
  "an-end-too-early": [ROLE],
  "an-error-after-words": [ROLE, deltaFrame({ content: "Hi" }), frame(OVERLOADED)],
};

let upstream: RawServer;
let gateway: TestGateway;
let settings: SettingsFile;
let client: ChatClient;
beforeAll(async () => {
  upstream = await startRawServer(async ({ request, write, push }) => {
    const { model } = JSON.parse(request.text) as { model: string };
    write(STREAM_HEAD);
    for (const each of FIRST[model] ?? goodFrames([ANSWER])) {
      await push(chunked(each));
      // Else one read brings both.
      await Bun.sleep(5);
    }
    await push("0\r\n\r\n");
  });
  const models = Object.keys(FIRST).map((name) => `${name}|ok`);
  // Too long to be asked for in one piece.
  const limits = { context_tokens: 1_000_000, max_output_tokens: 100_000 };
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, models, { limits }));
  gateway = await startTestGateway(settings.environment);
  client = createChatClient(gateway, await gateway.found({ credits: 1_000_000 }));
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
  "who waits for one reply gets it of the next target where the first said only who speaks: %s",
  async (name) => {
    const { choices } = await client.reply(asking(name));
    expect(choices[0]?.message).toEqual({ role: "assistant", content: ANSWER, refusal: null } as never);
  },
);

test("a target that has said more than who speaks is the last", async () => {
  const response = await client.post(asking("an-error-after-words"));
  expect(response.status).toBe(502);
});
