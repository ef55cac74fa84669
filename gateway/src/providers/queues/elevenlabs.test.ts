import { afterEach, describe, expect, test } from "bun:test";
import { failureFrom } from "../../outbound/testing.ts";
import {
  callContext,
  type MediaVendor,
  silentMp3,
  silentWav,
  startMediaVendor,
} from "../media/media-testing.ts";
import { createElevenLabsProvider } from "./elevenlabs.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function elevenLabs(answer: Parameters<typeof startMediaVendor>[0]) {
  vendor = startMediaVendor(answer);
  const { speech } = vendor.provider(createElevenLabsProvider);
  if (speech === undefined) throw new Error("no voices");
  return speech;
}

const MODEL = "eleven_multilingual_v2";
const RAW = { headers: { "content-type": "audio/pcm" } };
/** An empty ID3 tag. */
const TAG = Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1");

describe("ElevenLabs speech", () => {
  test("one voice is requested as an MP3 at the configured address", async () => {
    const speech = elevenLabs(() => new Response(Buffer.from(silentMp3())));
    const lines = [{ voice: "JBFqnCBsd6RMkjVDRZzb", text: "Hello." }];
    const made = await speech.speak(MODEL, { lines, speed: 1.1 }, callContext());
    expect(made).toMatchObject({ mediaType: "audio/mpeg", durationMs: 104 });
    expect(vendor.sent[0]).toMatchObject({
      path: "/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=mp3_44100_128",
      body: { text: "Hello.", model_id: MODEL, voice_settings: { speed: 1.1 } },
    });
    expect(vendor.sent[0]?.headers.get("xi-api-key")).toBe("secret-key-1");
  });

  test("several voices are requested as samples and joined, consecutive lines of one voice in one call", async () => {
    const speech = elevenLabs(() => new Response(new Uint8Array(4_800)));
    const lines = [
      { voice: "a", text: "One." },
      { voice: "a", text: "Two." },
      { voice: "b", text: "Three." },
      { voice: "a", text: "Four." },
    ];
    const made = await speech.speak(MODEL, { lines, speed: 1 }, callContext());
    expect(made).toMatchObject({ mediaType: "audio/wav", durationMs: 3 * 100 + 2 * 200 });
    expect(vendor.sent.map(({ path, body }) => [path, body["text"]])).toEqual([
      ["/v1/text-to-speech/a?output_format=pcm_24000", "One.\nTwo."],
      ["/v1/text-to-speech/b?output_format=pcm_24000", "Three."],
      ["/v1/text-to-speech/a?output_format=pcm_24000", "Four."],
    ]);
  });

  test.each([
    ["an empty body", () => new Response(new Uint8Array(0))],
    ["less than a sample", () => new Response(new Uint8Array(1))],
    [
      "an HTML page",
      () => new Response("<!doctype html><title>Busy</title>", { headers: { "content-type": "text/html" } }),
    ],
    ["a JSON message", () => Response.json({ detail: "Come again later." })],
    ["an MP3", () => new Response(Buffer.from(silentMp3()), RAW)],
    ["an MP3 with an ID3 tag", () => new Response(Buffer.from([...TAG, ...silentMp3()]), RAW)],
    ["a WAV", () => new Response(Buffer.from(silentWav()), RAW)],
  ])(
    "%s in place of samples is the provider's failure, with the target still healthy",
    async (_name, answer) => {
      let calls = 0;
      const speech = elevenLabs(() => {
        calls += 1;
        return calls === 2 ? answer() : new Response(new Uint8Array(480));
      });
      const lines = ["a", "b"].map((voice) => ({ voice, text: "Hm." }));
      const failure = await failureFrom(speech.speak(MODEL, { lines, speed: 1 }, callContext()));
      expect(failure).toMatchObject({ kind: "unavailable", detail: { targetHealth: "up" } });
    },
  );

  test("samples that begin like a single MP3 frame are accepted", async () => {
    const samples = new Uint8Array(4_800);
    samples.set(silentMp3(1).subarray(0, 4));
    const speech = elevenLabs(() => new Response(samples));
    const lines = ["a", "b"].map((voice) => ({ voice, text: "Hm." }));
    expect((await speech.speak(MODEL, { lines, speed: 1 }, callContext())).durationMs).toBe(400);
  });

  test("a line without a voice gets the model's first voice", async () => {
    const speech = elevenLabs(() => new Response(Buffer.from(silentMp3())));
    const request = { lines: [{ voice: null, text: "Hi" }], speed: 1, firstVoice: "house-voice" };
    await speech.speak(MODEL, request, callContext());
    expect(vendor.sent[0]?.path).toStartWith("/v1/text-to-speech/house-voice?");
  });

  test.each(["../../user", "a?b=c", "a/b", "%2e%2e", "ä", "x".repeat(65)])(
    "a voice that is not a plain id is refused, and nothing is sent: %s",
    async (voice) => {
      const speech = elevenLabs(() => new Response());
      const work = speech.speak(MODEL, { lines: [{ voice, text: "Hi" }], speed: 1 }, callContext());
      expect((await failureFrom(work)).kind).toBe("rejected");
      expect(vendor.sent).toHaveLength(0);
    },
  );

  test("one failed turn fails the whole request, and more than 64 turns are refused before the first", async () => {
    let calls = 0;
    const speech = elevenLabs(() => {
      calls += 1;
      return calls === 2 ? new Response("{}", { status: 500 }) : new Response(new Uint8Array(480));
    });
    const turns = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ voice: at % 2 === 0 ? "a" : "b", text: "Hm." }));
    const few = speech.speak(MODEL, { lines: turns(2), speed: 1 }, callContext());
    expect((await failureFrom(few)).kind).toBe("unavailable");
    const many = speech.speak(MODEL, { lines: turns(65), speed: 1 }, callContext());
    expect((await failureFrom(many)).kind).toBe("rejected");
    expect(calls).toBe(2);
  });
});
