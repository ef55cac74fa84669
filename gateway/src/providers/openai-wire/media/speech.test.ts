import { describe, expect, test } from "bun:test";
import type { SpeechRequest } from "../../../contract/index.ts";
import { writeWav } from "../../../media/wav.ts";
import { createPublicFetch } from "../../../outbound/index.ts";
import { failureFrom, never, testFetch } from "../../../outbound/testing.ts";
import type { WireVendorName } from "../../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "../provider.ts";
import { wireVendor } from "../vendor.ts";
import { base64, type MediaServer, mp3Bytes, startMediaServer } from "./media-testing.ts";
import { MP3_SPEECH } from "./speech-habits.ts";

const CONTEXT = { requestId: "r", signal: never() };
const FRAME_MS = 1152 / 44.1;

function speak(server: MediaServer, request: Partial<SpeechRequest>, kind: WireVendorName = "openai") {
  const { speech } = server.provider(kind);
  if (speech === undefined) throw new Error("it speaks");
  return speech.speak("tts-1", { lines: [{ voice: null, text: "Hello." }], speed: 1, ...request }, CONTEXT);
}

const sound = (bytes: Uint8Array<ArrayBuffer>) =>
  new Response(bytes, { headers: { "content-type": "audio/mpeg" } });

describe("speech in one voice", () => {
  test("is one call, and the audio is returned unchanged", async () => {
    const server = startMediaServer(() => sound(mp3Bytes(100, { tags: true })));
    const made = await speak(server, { lines: [{ voice: "nova", text: "Hello." }], speed: 1.5 });
    expect(made.mediaType).toBe("audio/mpeg");
    expect(made.bytes).toEqual(mp3Bytes(100, { tags: true }));
    expect(server.seen).toMatchObject([
      {
        path: "/v1/audio/speech",
        body: { model: "tts-1", input: "Hello.", voice: "nova", response_format: "mp3", speed: 1.5 },
      },
    ]);
    await server.close();
  });

  test("without a voice or speed uses the vendor's default voice and sends no speed", async () => {
    const server = startMediaServer(() => sound(mp3Bytes(2)));
    await speak(server, {});
    await speak(server, {}, "openrouter");
    expect(server.seen[0]?.body).toEqual({
      model: "tts-1",
      input: "Hello.",
      voice: "alloy",
      response_format: "mp3",
    });
    expect(server.seen[1]?.body).not.toHaveProperty("voice");
    await server.close();
  });

  test("may come inside JSON", async () => {
    const server = startMediaServer(() => Response.json({ audio_data: base64(mp3Bytes(10)) }));
    expect((await speak(server, {}, "mistral")).durationMs).toBe(Math.round(10 * FRAME_MS));
    await server.close();
  });
});

describe("speech in several voices", () => {
  const lines = [
    { voice: "nova", text: "One." },
    { voice: "echo", text: "Two." },
    { voice: "echo", text: "Three." },
    { voice: "nova", text: "Four." },
  ];

  test("is one call per change of voice, joined into one file without the tags of its parts", async () => {
    const frames = { "One.": 40, "Two.\nThree.": 30, "Four.": 20 } as Readonly<Record<string, number>>;
    const server = startMediaServer(({ body }) =>
      sound(mp3Bytes(frames[String(body["input"])] ?? 0, { tags: true })),
    );
    const made = await speak(server, { lines });
    expect(server.seen.map(({ body }) => body["voice"])).toEqual(["nova", "echo", "nova"]);
    expect(made.bytes).toEqual(mp3Bytes(90));
    expect(made.durationMs).toBe(Math.round(90 * FRAME_MS));
    await server.close();
  });

  test("is one file as WAV too, with a pause between the parts", async () => {
    const format = { sampleRate: 24_000, channels: 1 };
    const server = startMediaServer(() => sound(new Uint8Array(writeWav(format, [new Uint8Array(4_800)]))));
    const made = await speak(server, { lines }, "groq");
    expect(made).toMatchObject({ mediaType: "audio/wav", durationMs: 700 });
    expect(server.seen[0]?.body["response_format"]).toBe("wav");
    await server.close();
  });

  test("fails if the parts have different sample rates", async () => {
    let calls = 0;
    const server = startMediaServer(() => {
      calls += 1;
      const bytes = mp3Bytes(3);
      if (calls === 2) for (let at = 0; at < bytes.length; at += 417) bytes[at + 2] = 0x94;
      return sound(bytes);
    });
    expect((await failureFrom(speak(server, { lines }))).kind).toBe("unavailable");
    await server.close();
  });

  test("is rejected without any call if it needs more than 64", async () => {
    const server = startMediaServer(() => sound(mp3Bytes(1)));
    const many = Array.from({ length: 65 }, (_, at) => ({ voice: `v${at}`, text: "x" }));
    expect((await failureFrom(speak(server, { lines: many }))).kind).toBe("rejected");
    expect(server.seen).toEqual([]);
    await server.close();
  });

  test("fails if one part is empty", async () => {
    const server = startMediaServer(({ body }) =>
      sound(body["voice"] === "echo" ? Uint8Array.from(Buffer.from("ID3\x04\0\0\0\0\0\0")) : mp3Bytes(1)),
    );
    expect((await failureFrom(speak(server, { lines }))).kind).toBe("unavailable");
    await server.close();
  });

  test("fails if one call fails", async () => {
    const server = startMediaServer(({ body }) =>
      body["voice"] === "echo" ? new Response("{}", { status: 503 }) : sound(mp3Bytes(1)),
    );
    expect((await failureFrom(speak(server, { lines }))).kind).toBe("unavailable");
    await server.close();
  });
});

test.each([
  [
    "an error despite status 200",
    () => Response.json({ error: { message: "no", code: "invalid_request_error" } }),
    "rejected",
  ],
  ["JSON without audio", () => Response.json({}), "unavailable"],
  ["HTML", () => new Response("<html>"), "unavailable"],
  ["nothing", () => new Response(""), "unavailable"],
  ["401", () => new Response("{}", { status: 401 }), "unauthorized"],
  ["422", () => Response.json({ detail: "voice" }, { status: 422 }), "rejected"],
])("speech fails on %s", async (_, answer, kind) => {
  const server = startMediaServer(answer);
  expect((await failureFrom(speak(server, {}))).kind).toBe(kind as never);
  await server.close();
});

test("a server that takes lines reads those of all voices in one call", async () => {
  const server = startMediaServer(() => sound(mp3Bytes(2)));
  const vendor = wireVendor({ speech: { ...MP3_SPEECH, takesLines: true } });
  const reached = { outbound: testFetch(), fetchPublic: createPublicFetch() };
  const settings = { name: "acme", kind: null, baseUrl: server.baseUrl, apiKey: null };
  const { speech } = createOpenAiWireProvider(settings, vendor, reached);
  const lines = [
    { voice: "ava", text: "One." },
    { voice: null, text: "Two." },
  ];
  await speech?.speak("tts-1", { lines, speed: 1 }, CONTEXT);
  expect(server.seen).toMatchObject([{ body: { lines } }]);
  await server.close();
});
