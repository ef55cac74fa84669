import { afterEach, describe, expect, test } from "bun:test";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import {
  ADDRESSES_INSIDE,
  callContext,
  expectWashed,
  type MediaVendor,
  silentMp3,
  startMediaVendor,
} from "../media/media-testing.ts";
import { createFalProvider } from "./fal.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function falVoices(
  answer: Parameters<typeof startMediaVendor>[0],
  options: Parameters<typeof startMediaVendor>[1] = {},
) {
  vendor = startMediaVendor(answer, options);
  const { speech } = vendor.provider(createFalProvider);
  if (speech === undefined) throw new Error("no voices");
  return speech;
}

describe("fal speech", () => {
  test("one voice is fetched from the URL in the response", async () => {
    const hosted = async () => ({
      bytes: Buffer.from(silentMp3()),
      mediaType: "audio/mpeg",
    });
    const speech = falVoices(() => Response.json({ audio: { url: "https://v3.fal.media/s.mp3" } }), {
      hosted,
    });
    const lines = [{ voice: "Wise_Woman", text: "Hello." }];
    const made = await speech.speak("fal-ai/minimax/speech-02-hd", { lines, speed: 1.2 }, callContext());
    expect(made.mediaType).toBe("audio/mpeg");
    expect(vendor.sent[0]).toMatchObject({ path: "/fal-ai/minimax/speech-02-hd" });
  });

  test("a file at an allowed private host is fetched without our key", async () => {
    const speech = falVoices(({ path }, origin) =>
      path === "/s.mp3"
        ? new Response(Buffer.from(silentMp3()))
        : Response.json({ audio: { url: `${origin}/s.mp3` } }),
    );
    const lines = [{ voice: null, text: "Hello." }];
    const made = await speech.speak("fal-ai/dia-tts", { lines, speed: 1 }, callContext());
    expect(made).toMatchObject({ mediaType: "audio/mpeg", durationMs: 104 });
    expect(vendor.sent[0]?.headers.get("authorization")).toBe("Key secret-key-1");
    expect(vendor.sent[0]?.body).toEqual({ text: "Hello." });
    expect(vendor.sent[1]?.headers.get("authorization")).toBeNull();
  });

  const SETTING = { voice_setting: { voice_id: "Puck", speed: 1.2 }, output_format: "url" };
  const TOP = { voice: "Puck", speed: 1.2 };

  test.each([
    ["fal-ai/minimax/speech-02-hd", { text: "Hello.", ...SETTING }],
    ["fal-ai/minimax/speech-2.8-hd", { prompt: "Hello.", ...SETTING }],
    ["fal-ai/elevenlabs/tts/turbo-v2.5", { text: "Hello.", ...TOP }],
    ["fal-ai/kokoro/american-english", { prompt: "Hello.", ...TOP }],
    ["fal-ai/gemini-3.1-flash-tts", { prompt: "Hello.", ...TOP }],
    ["fal-ai/playai/tts/v3", { input: "Hello.", ...TOP }],
  ])("%s gets its own field names", async (model, body) => {
    const speech = falVoices(() => Response.json({}));
    const lines = [{ voice: "Puck", text: "Hello." }];
    await failureFrom(speech.speak(model, { lines, speed: 1.2 }, callContext()));
    expect(vendor.sent[0]?.body).toEqual(body);
  });

  test("no voice and the normal speed are left out of the request", async () => {
    const speech = falVoices(() => Response.json({}));
    const lines = [{ voice: null, text: "Hello." }];
    await failureFrom(speech.speak("fal-ai/minimax/speech-02-hd", { lines, speed: 1 }, callContext()));
    expect(vendor.sent[0]?.body).toEqual({ text: "Hello.", output_format: "url" });
  });

  test.each([
    ["audio", (url: string) => ({ audio: { url } })],
    ["audio_url", (url: string) => ({ audio_url: { url } })],
    ["audio_file", (url: string) => ({ audio_file: url })],
  ])("the audio URL is found under %s", async (_name, answer) => {
    const speech = falVoices(({ path }, origin) =>
      path === "/s.mp3" ? new Response(Buffer.from(silentMp3())) : Response.json(answer(`${origin}/s.mp3`)),
    );
    const lines = [{ voice: null, text: "Hello." }];
    const made = await speech.speak("fal-ai/dia-tts", { lines, speed: 1 }, callContext());
    expect(made.mediaType).toBe("audio/mpeg");
  });

  test.each(ADDRESSES_INSIDE)("an audio URL that points inside is the vendor's failure: %s", async (url) => {
    const hosted = createPublicFetch({ resolve: async () => ["192.168.1.7"] });
    const speech = falVoices(() => Response.json({ audio: { url } }), { hosted });
    const work = speech.speak(
      "fal-ai/dia-tts",
      { lines: [{ voice: "a", text: "Hi." }], speed: 1 },
      callContext(),
    );
    const failure = await failureFrom(work);
    expect(failure.kind).toBe("unavailable");
    expectWashed(failure.publicMessage);
  });

  test("a refusal is passed on in the vendor's words", async () => {
    const speech = falVoices(() =>
      Response.json({ detail: [{ loc: ["body", "text"], msg: "too long" }] }, { status: 422 }),
    );
    const lines = [{ voice: "a", text: "Hi." }];
    const failure = await failureFrom(speech.speak("fal-ai/dia-tts", { lines, speed: 1 }, callContext()));
    expect(failure).toMatchObject({ kind: "rejected", publicMessage: "text: too long" });
  });

  test("several voices are refused before a call", async () => {
    const speech = falVoices(() => Response.json({}));
    const lines = [
      { voice: "a", text: "One." },
      { voice: "b", text: "Two." },
    ];
    const failure = await failureFrom(speech.speak("fal-ai/dia-tts", { lines, speed: 1 }, callContext()));
    expect(failure.kind).toBe("rejected");
    expect(vendor.sent).toHaveLength(0);
  });
});
