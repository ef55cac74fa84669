import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { MP3 } from "../upstream/media-samples.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { mediaSettings } from "./media-models.ts";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 10_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

type Reply = Record<string, unknown> & { error?: { code: string; message: string } };

async function make(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.origin}/functions/v1/api-v1-audio`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "voice", prompt: "Good morning.", ...body }),
  });
  return { response, reply: (await response.json()) as Reply };
}

/** What the upstream was asked to speak since then, with the voices. */
function spokenSince(before: number): unknown[] {
  return upstream.received.slice(before).map(({ body }) => [body["voice"], body["input"]]);
}

describe("200", () => {
  test("has exactly the fields of the specification, and its URL serves the audio without a key", async () => {
    const { response, reply } = await make({});
    expect(response.status).toBe(200);
    expect(Object.keys(reply)).toEqual([
      "request_id",
      "model",
      "audio_kind",
      "audio_url",
      "credits_charged",
      "balance",
    ]);
    const url = String(reply["audio_url"]);
    expect(url).toMatch(/\/library\/[\w-]{32}\.mp3$/);
    expect(reply).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      model: "voice",
      audio_kind: "speech",
    });
    const file = await fetch(url);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(MP3.byteLength);
  });

  test("is charged by code points: a surrogate pair is one character", async () => {
    expect((await make({ prompt: "abc" })).reply["credits_charged"]).toBe(3);
    expect((await make({ prompt: "🗼🗼é" })).reply["credits_charged"]).toBe(3);
  });

  test("voice and speed reach the upstream unchanged", async () => {
    await make({ voice: "ben", speed: 1.5 });
    expect(upstream.received.at(-1)?.body).toMatchObject({
      input: "Good morning.",
      voice: "ben",
      speed: 1.5,
    });
  });

  test("each speaker's lines are read in that speaker's voice", async () => {
    const before = upstream.received.length;
    const prompt = "Anna: Is this seat taken?\nBob: No.\nAnna: Thanks.";
    const { reply } = await make({ prompt, speakers: ["ben", "Bob=ava"] });
    expect(reply["credits_charged"]).toBe(prompt.length);
    expect(spokenSince(before)).toEqual([
      ["ben", "Is this seat taken?"],
      ["ava", "No."],
      ["ben", "Thanks."],
    ]);
  });
});

describe("400", () => {
  const cases: readonly [string, object, string][] = [
    [
      "no prompt",
      { prompt: undefined },
      "prompt: must be text of 1 to 32,000 characters, not only whitespace",
    ],
    [
      "a prompt longer than the model allows",
      { prompt: "a".repeat(501) },
      "prompt: must have at most 500 characters",
    ],
    ["an unknown audio_kind", { audio_kind: "noise" }, "audio_kind: must be one of speech, music"],
    [
      "an audio_kind that the model lacks",
      { audio_kind: "music" },
      "audio_kind: must be speech for this model",
    ],
    ["a voice that the model lacks", { voice: "zoe" }, "voice: must be one of ava, ben for this model"],
    ["a speed of 0.2", { speed: 0.2 }, "speed: must be a number from 0.25 to 4"],
    ["a speed of 4.1", { speed: 4.1 }, "speed: must be a number from 0.25 to 4"],
    ["a speed as text", { speed: "1" }, "speed: must be a number from 0.25 to 4"],
    ["a speaker without a voice", { speakers: ["ava", "zoe"] }, "speakers[1]: must be a voice"],
    ["17 speakers", { speakers: Array(17).fill("ava") }, "speakers: must be a list of at most 16"],
    [
      "a style of music",
      { music_style: "jazz" },
      "music_style: must be absent: it belongs to audio_kind music",
    ],
    ["a duration", { duration_seconds: 5 }, "duration_seconds: must be absent"],
    [
      "a reference image",
      { reference_image_urls: ["https://example.com/a.png"] },
      "reference_image_urls: must be absent: this model cannot use images",
    ],
    [
      "a reference image that is not a URL",
      { reference_image_urls: ["a.png"] },
      "reference_image_urls[0]: must be the public",
    ],
    [
      "17 reference images",
      { reference_image_urls: Array(17).fill("https://example.com/a.png") },
      "reference_image_urls: must be a list of at most 16",
    ],
    ["a speed for a model without speeds", { model: "plain-voice", speed: 2 }, "speed: must be absent"],
    [
      "speakers for a model without speakers",
      { model: "plain-voice", speakers: ["ava"] },
      "speakers: must be absent",
    ],
  ];
  for (const [name, body, says] of cases) {
    test(`${name} is refused before the upstream is called`, async () => {
      const before = upstream.received.length;
      const { response, reply } = await make(body);
      expect([response.status, reply.error?.code]).toEqual([400, "validation_error"]);
      expect(reply.error?.message).toStartWith(says);
      expect(upstream.received).toHaveLength(before);
    });
  }

  test("music fields, speakers and speed are accepted by any voice if null, empty or without effect", async () => {
    const { response } = await make({
      model: "plain-voice",
      ...{ music_style: null, duration_seconds: null, reference_image_urls: [], speakers: [], speed: 1 },
    });
    expect(response.status).toBe(200);
  });
});

test("a repeat with the same Idempotency-Key gets the first reply", async () => {
  const headers = { "idempotency-key": "speech-1" };
  const first = await make({}, headers);
  const repeat = await make({}, headers);
  expect([repeat.response.headers.get("idempotent-replayed"), repeat.reply]).toEqual(["true", first.reply]);
});
