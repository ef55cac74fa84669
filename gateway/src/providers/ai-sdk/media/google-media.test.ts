import { afterEach, describe, expect, test } from "bun:test";
import type { ProviderFailureKind } from "../../../contract/index.ts";
import { MAX_FOREIGN_VALUES } from "../../../kit/index.ts";
import { readWav } from "../../../media/wav.ts";
import { failureFrom } from "../../../outbound/testing.ts";
import {
  base64,
  callContext,
  expectWashed,
  type MediaVendor,
  silentMp3,
  startMediaVendor,
  tinyPng,
} from "../../media/media-testing.ts";
import { createGoogleMedia, createVertexMedia } from "./google-media.ts";

let vendor: MediaVendor;
afterEach(() => vendor.close());

function google(answer: Parameters<typeof startMediaVendor>[0], options = {}) {
  vendor = startMediaVendor(answer, options);
  return vendor.provider(createGoogleMedia);
}

const PICTURE = { prompt: "a siamese cat", aspectRatio: "16:9", tier: "1k", n: 1 } as const;

function picture(mimeType = "image/png", bytes: Uint8Array = tinyPng(1_376, 768)): Response {
  const parts = [{ inlineData: { mimeType, data: base64(bytes) }, thoughtSignature: "x" }];
  return Response.json({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] });
}

const text = { content: { role: "model", parts: [{ text: "I would rather not." }] } };
/** Answers that contain only the reason, and a phrase of what the caller is told. */
const REFUSALS: readonly (readonly [string, object, string])[] = [
  ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "PROHIBITED_CONTENT"].map(
    (finishReason) => [finishReason, { candidates: [{ finishReason }] }, "content rules"] as const,
  ),
  ["a blocked prompt", { promptFeedback: { blockReason: "SAFETY" } }, "content rules"],
  ...["NO_IMAGE", "IMAGE_OTHER", "OTHER"].map(
    (finishReason) => [finishReason, { candidates: [{ finishReason }] }, "rephrase the prompt"] as const,
  ),
  ["only text", { candidates: [{ ...text, finishReason: "STOP" }] }, "rephrase the prompt"],
];

describe("images of Gemini", () => {
  test("are requested by aspect ratio, and larger ones also by size", async () => {
    const { image } = google(() => picture());
    const made = await image?.makeImages("gemini-3-pro-image", PICTURE, callContext());
    expect(made).toEqual([expect.objectContaining({ mediaType: "image/png", width: 1_376, height: 768 })]);
    await image?.makeImages("gemini-3-pro-image", { ...PICTURE, tier: "4k" }, callContext());
    const [small, large] = vendor.sent;
    expect(small?.path).toBe("/models/gemini-3-pro-image:generateContent");
    expect(small?.headers.get("x-goog-api-key")).toBe("secret-key-1");
    expect(small?.body).toMatchObject({
      contents: [{ role: "user", parts: [{ text: "a siamese cat" }] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "16:9" } },
    });
    expect(JSON.stringify(small?.body)).not.toContain("imageSize");
    expect(large?.body).toMatchObject({
      generationConfig: { imageConfig: { aspectRatio: "16:9", imageSize: "4K" } },
    });
  });

  test("several are several calls, and a partial result is a success", async () => {
    let calls = 0;
    const { image } = google(() => {
      calls += 1;
      return calls === 2 ? new Response("{}", { status: 500 }) : picture();
    });
    const made = await image?.makeImages("gemini-2.5-flash-image", { ...PICTURE, n: 3 }, callContext());
    expect(made).toHaveLength(2);
    expect(calls).toBe(3);
  });

  test.each(["application/json", "image/png"])(
    "an answer with too many values is unavailable, as %s",
    async (type) => {
      const many = `{"candidates":[${"{},".repeat(MAX_FOREIGN_VALUES / 6)}{}]}`;
      const { image } = google(() => new Response(` ${many}`, { headers: { "content-type": type } }));
      const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext());
      expect(await failureFrom(Promise.resolve(work))).toMatchObject({
        kind: "unavailable",
        publicMessage: "The model's provider sent an answer that could not be read.",
        detail: { internal: "an answer that has too many values", targetHealth: "up" },
      });
    },
  );

  test.each(REFUSALS)(
    "a refusal (%s) is rejected with advice to the caller",
    async (_name, answer, words) => {
      const { image } = google(() => Response.json(answer));
      const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext());
      const failure = await failureFrom(Promise.resolve(work));
      expect(failure).toMatchObject({ kind: "rejected", publicMessage: expect.stringContaining(words) });
    },
  );

  test("a malformed answer without an image is unavailable", async () => {
    const { image } = google(() => Response.json({ candidates: [{ finishReason: "MALFORMED_RESPONSE" }] }));
    const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe("unavailable");
  });

  test("a negative prompt is refused before anything is sent", async () => {
    const { image } = google(() => picture());
    const request = { ...PICTURE, negativePrompt: "dogs" };
    const work = image?.makeImages("gemini-2.5-flash-image", request, callContext());
    expect(await failureFrom(Promise.resolve(work))).toMatchObject({ kind: "rejected" });
    expect(vendor.sent).toHaveLength(0);
  });

  test("a discontinued model is unavailable, not rejected", async () => {
    const { image } = google(() => picture());
    const work = image?.makeImages("imagen-4.0-generate-001", PICTURE, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe("unavailable");
  });
});

describe("failures of a vendor", () => {
  const error = (status: number, message: string, headers: Record<string, string> = {}) =>
    Response.json({ error: { code: status, message, status: "X" } }, { status, headers });

  test.each([
    ["400", "rejected", () => error(400, "the ratio is wrong, see req_8d7f6a5s4d at 127.0.0.1")],
    ["401", "unauthorized", () => error(401, "key secret-key-1 is wrong")],
    ["429", "rate_limited", () => error(429, "slow down", { "retry-after": "7" })],
    ["503", "unavailable", () => error(503, "try later")],
    ["a page of HTML", "unavailable", () => new Response("<html>hi</html>")],
    ["half an answer", "unavailable", () => new Response('{"candidates": [{')],
    ["an empty answer", "unavailable", () => Response.json({})],
    ["an image that is not one", "unavailable", () => picture("image/png", Buffer.from("<svg/>"))],
    ["a redirect", "unavailable", () => Response.redirect("http://169.254.169.254/latest")],
  ] as const)("%s is %s, with a message without our key, host or ids", async (_name, kind, answer) => {
    const { image } = google(answer);
    const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext());
    const failure = await failureFrom(Promise.resolve(work));
    expect(failure.kind).toBe(kind);
    expectWashed(failure.publicMessage);
    if (kind === "rate_limited") expect(failure.detail.retryAfterSeconds).toBe(7);
  });

  test("a vendor that never answers is timed out", async () => {
    const { image } = google(() => new Promise<Response>(() => {}), { firstByteMs: 60 });
    const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe("timeout");
  });

  test("a caller that leaves ends the call with the reason of its signal", async () => {
    const controller = new AbortController();
    const { image } = google(() => {
      controller.abort(new Error("gone"));
      return new Promise<Response>(() => {});
    });
    const work = image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext(controller.signal));
    await expect(Promise.resolve(work)).rejects.toThrow("gone");
  });
});

function sound(samples = new Uint8Array(4_800)): Response {
  const inlineData = { mimeType: "audio/L16;codec=pcm;rate=24000", data: base64(samples) };
  return Response.json({ candidates: [{ content: { parts: [{ inlineData }] }, finishReason: "STOP" }] });
}

describe("voices of Gemini", () => {
  const TTS = "gemini-2.5-flash-preview-tts";

  test("raw samples become a WAV file", async () => {
    const { speech } = google(() => sound());
    const lines = [{ voice: "Puck", text: "Hello." }];
    const made = await speech?.speak(TTS, { lines, speed: 1 }, callContext());
    expect(made).toMatchObject({ mediaType: "audio/wav", durationMs: 100 });
    expect(vendor.sent[0]?.body).toMatchObject({
      contents: [{ parts: [{ text: "Hello." }] }],
      generationConfig: {
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Puck" } } },
      },
    });
  });

  test("two voices are one call, each line labelled with its speaker", async () => {
    const { speech } = google(() => sound());
    const lines = [
      { voice: "Puck", text: "Tea?" },
      { voice: null, text: "Yes." },
      { voice: "Puck", text: "Good." },
    ];
    await speech?.speak(TTS, { lines, speed: 1 }, callContext());
    await speech?.speak("gemini-3.8-flash-tts", { lines, speed: 1 }, callContext());
    const [labelled, structured] = vendor.sent.map(({ body }) => body);
    expect(vendor.sent).toHaveLength(2);
    expect(labelled).toMatchObject({
      contents: [{ parts: [{ text: "Speaker 1: Tea?\nSpeaker 2: Yes.\nSpeaker 1: Good." }] }],
    });
    expect(structured).toMatchObject({
      contents: [
        {
          parts: [
            { text: "Tea?", speechMetadata: { speaker: "Speaker 1" } },
            { text: "Yes.", speechMetadata: { speaker: "Speaker 2" } },
            { text: "Good.", speechMetadata: { speaker: "Speaker 1" } },
          ],
        },
      ],
      generationConfig: {
        speechConfig: {
          multiSpeakerVoiceConfig: {
            speakerVoiceConfigs: [
              { speaker: "Speaker 1", voiceConfig: { prebuiltVoiceConfig: { voiceName: "Puck" } } },
              { speaker: "Speaker 2", voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
            ],
          },
        },
      },
    });
  });

  test("more than two voices are joined in their order", async () => {
    const level: Record<string, number> = { one: 1, two: 2, three: 3 };
    const { speech } = google(({ body }) => {
      const said = Object.keys(level).find((word) => JSON.stringify(body).includes(word)) ?? "";
      return sound(new Uint8Array(480).fill(level[said] ?? 0));
    });
    const lines = Object.keys(level).map((text) => ({ voice: `Voice ${text}`, text }));
    const made = await speech?.speak(TTS, { lines, speed: 1 }, callContext());
    const samples = readWav(made?.bytes ?? new Uint8Array(0))?.samples ?? new Uint8Array(0);
    expect([...new Set(samples)].filter((value) => value > 0)).toEqual([1, 2, 3]);
    expect(made?.durationMs).toBe(3 * 10 + 2 * 200);
  });

  test("another speed is refused before anything is sent", async () => {
    const { speech } = google(() => sound());
    const work = speech?.speak(TTS, { lines: [{ voice: null, text: "Hi" }], speed: 2 }, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe("rejected");
    expect(vendor.sent).toHaveLength(0);
  });
});

describe("refused speech of Gemini and music of Lyria", () => {
  test.each(REFUSALS)(
    "a refusal (%s) is rejected with advice to the caller",
    async (_name, answer, words) => {
      const { speech, music } = google(() => Response.json(answer));
      const lines = [{ voice: "Puck", text: "Hello." }];
      const song = { prompt: "a march", style: null, durationMs: 30_000, referenceImages: [] };
      const works = [
        speech?.speak("gemini-2.5-flash-preview-tts", { lines, speed: 1 }, callContext()),
        music?.compose("lyria-3-clip-preview", song, callContext()),
      ];
      for (const work of works) {
        const failure = await failureFrom(Promise.resolve(work));
        expect(failure).toMatchObject({ kind: "rejected", publicMessage: expect.stringContaining(words) });
      }
    },
  );

  test("an answer without a finish reason is unavailable", async () => {
    const { speech } = google(() => Response.json({ candidates: [{}] }));
    const lines = [{ voice: "Puck", text: "Hello." }];
    const work = speech?.speak("gemini-2.5-flash-preview-tts", { lines, speed: 1 }, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe("unavailable");
  });
});

describe("music of Lyria", () => {
  const SONG = { prompt: "a march", style: "folk", durationMs: 30_000, referenceImages: [] };

  test("is one call, with style, length and images in the prompt", async () => {
    const inlineData = { mimeType: "audio/mpeg", data: base64(silentMp3()) };
    const parts = [{ text: "lyrics" }, { inlineData }];
    const { music } = google(() => Response.json({ candidates: [{ content: { parts } }] }));
    const referenceImages = [{ bytes: tinyPng(), mediaType: "image/png" }];
    const made = await music?.compose("lyria-3-clip-preview", { ...SONG, referenceImages }, callContext());
    expect(made?.mediaType).toBe("audio/mpeg");
    expect(vendor.sent[0]).toMatchObject({
      path: "/models/lyria-3-clip-preview:generateContent",
      body: {
        contents: [
          {
            parts: [
              { text: "a march\nStyle: folk.\nLength: 30 seconds." },
              { inlineData: { mimeType: "image/png" } },
            ],
          },
        ],
      },
    });
  });

  test.each([
    ["a prompt that is blocked", "rejected", { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }],
    ["an answer without audio", "unavailable", { candidates: [{ content: { parts: [{ text: "la" }] } }] }],
    ["an array as an answer", "unavailable", [1, 2]],
  ])("%s is %s", async (_name, kind, answer) => {
    const { music } = google(() => Response.json(answer));
    const work = music?.compose("lyria-3-clip-preview", SONG, callContext());
    expect((await failureFrom(Promise.resolve(work))).kind).toBe(kind as ProviderFailureKind);
  });
});

test("Vertex makes images on the same wire, and no videos", async () => {
  vendor = startMediaVendor(() => picture());
  const { image, video } = vendor.provider(createVertexMedia);
  expect(await image?.makeImages("gemini-2.5-flash-image", PICTURE, callContext())).toHaveLength(1);
  expect(video).toBeUndefined();
});
