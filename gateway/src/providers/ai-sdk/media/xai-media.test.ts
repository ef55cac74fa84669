import { afterEach, describe, expect, test } from "bun:test";
import { inMemory } from "../../../contract/index.ts";
import { failureFrom } from "../../../outbound/testing.ts";
import {
  base64,
  callContext,
  type MediaVendor,
  silentMp3,
  startMediaVendor,
  tinyMp4,
  tinyPng,
  videoRequest,
} from "../../media/media-testing.ts";
import { createXaiMedia } from "./xai-media.ts";

const MODEL = "grok-imagine-video";
const IMAGE = inMemory({ bytes: tinyPng(), mediaType: "image/png" });
const VIDEO = inMemory({ bytes: tinyMp4(), mediaType: "video/mp4" });
const SOUND = inMemory({ bytes: silentMp3(), mediaType: "audio/mpeg" });
const IMAGE_URI = `data:image/png;base64,${base64(tinyPng())}`;
const VIDEO_URI = `data:video/mp4;base64,${base64(tinyMp4())}`;
const SOUND_URI = `data:audio/mpeg;base64,${base64(silentMp3())}`;

let vendor: MediaVendor;
afterEach(() => vendor.close());

function xai(answer: Parameters<typeof startMediaVendor>[0]) {
  vendor = startMediaVendor(answer);
  const { video, speech } = vendor.provider(createXaiMedia);
  if (video === undefined || speech === undefined) throw new Error("no media");
  return { video, speech };
}

const poll = (video: ReturnType<typeof xai>["video"]) =>
  video.poll(
    MODEL,
    { operation: { requestId: "c84748c1" }, request: async () => videoRequest() },
    callContext(),
  );

describe("videos of Grok", () => {
  test("each task is sent in the vendor's format", async () => {
    const { video } = xai(() => Response.json({ request_id: "c84748c1" }));
    const begin = (more: Parameters<typeof videoRequest>[0]) =>
      video.begin(MODEL, videoRequest(more), callContext());
    expect(await begin({ sound: true })).toEqual({ requestId: "c84748c1" });
    await begin({ task: "image_to_video", referenceImage: IMAGE });
    await begin({ task: "reference_to_video", referenceImage: IMAGE, referenceAudio: SOUND });
    await begin({ task: "edit", referenceVideo: VIDEO, keepAudio: true });
    const [text, image, reference, edit] = vendor.sent;
    expect(vendor.sent.map(({ path }) => path)).toEqual([
      "/videos/generations",
      "/videos/generations",
      "/videos/generations",
      "/videos/edits",
    ]);
    expect(text?.headers.get("authorization")).toBe("Bearer secret-key-1");
    expect(text?.body).toEqual({
      model: MODEL,
      prompt: "a calm wave",
      duration: 4,
      aspect_ratio: "16:9",
      resolution: "720p",
      generate_audio: true,
    });
    expect(image?.body).toMatchObject({ image: { url: IMAGE_URI }, generate_audio: false });
    expect(reference?.body).toMatchObject({
      reference_images: [{ url: IMAGE_URI }],
      reference_audios: [{ url: SOUND_URI }],
    });
    expect(edit?.body).toEqual({
      model: MODEL,
      prompt: "a calm wave",
      video: { url: VIDEO_URI },
    });
  });

  test.each([
    ["a seed", { seed: 7 }],
    ["a draft", { draft: true }],
    ["a video beside another task", { referenceVideo: VIDEO }],
    ["an unsupported resolution", { resolution: "4k" }],
  ])("%s is refused before anything is sent", async (_name, more) => {
    const { video } = xai(() => Response.json({ request_id: "x" }));
    const failure = await failureFrom(video.begin(MODEL, videoRequest(more), callContext()));
    expect(failure.kind).toBe("rejected");
    expect(vendor.sent).toHaveLength(0);
  });

  test("a pending, unknown or missing status means running", async () => {
    const answers = [
      () => Response.json({ status: "pending", progress: 1 }, { status: 202 }),
      () => new Response(null, { status: 202 }),
      () => Response.json({ status: "pondering" }),
    ];
    const { video } = xai(() => answers.shift()?.() ?? new Response());
    for (let at = 0; at < 3; at += 1) expect(await poll(video)).toEqual({ state: "running" });
  });

  test("a finished video is downloaded, without our key", async () => {
    const { video } = xai(({ path }, origin) =>
      path === "/video.mp4"
        ? new Response(Buffer.from(tinyMp4()))
        : Response.json({ status: "done", video: { url: `${origin}/video.mp4`, duration: 4 } }),
    );
    expect(await poll(video)).toMatchObject({ state: "succeeded", file: { mediaType: "video/mp4" } });
    expect(vendor.sent.at(-1)?.headers.get("authorization")).toBeNull();
  });

  test.each([
    ["failed", { status: "failed", error: { message: "no frames" } }, "provider_error"],
    ["expired", { status: "expired" }, "provider_error"],
    ["moderated", { status: "done", video: { respect_moderation: false } }, "content_filter"],
    ["done without a video", { status: "done" }, "provider_error"],
    [
      "done, with an internal URL",
      { status: "done", video: { url: "https://192.168.0.1/f.mp4" } },
      "provider_error",
    ],
  ])("a job reported as %s fails", async (_name, answer, reason) => {
    const { video } = xai(() => Response.json(answer));
    expect(await poll(video)).toMatchObject({ state: "failed", reason: reason as "provider_error" });
  });

  test.each([
    ["for the generated video", "Generated video rejected by content moderation."],
    ["for the prompt", "Content violates usage guidelines."],
  ])("a poll that is refused %s fails the job", async (_name, error) => {
    const { video } = xai(() => Response.json({ code: "imagine:content-moderated", error }, { status: 400 }));
    expect(await poll(video)).toEqual({ state: "failed", reason: "content_filter", message: error });
  });

  test("a poll that is refused for another reason does not fail the job", async () => {
    const { video } = xai(() => Response.json({ error: "The id is malformed." }, { status: 400 }));
    expect((await failureFrom(poll(video))).kind).toBe("rejected");
  });
});

describe("voices of Grok", () => {
  test("one voice is returned as the MP3 that arrives", async () => {
    const { speech } = xai(() => new Response(Buffer.from(silentMp3())));
    const lines = [{ voice: null, text: "Hello." }];
    const made = await speech.speak("grok-tts", { lines, speed: 1.5 }, callContext());
    expect(made.mediaType).toBe("audio/mpeg");
    expect(vendor.sent[0]).toMatchObject({
      path: "/tts",
      body: { text: "Hello.", output_format: { codec: "mp3" }, speed: 1.5 },
    });
  });

  test("several voices are requested as raw samples and joined", async () => {
    const { speech } = xai(() => new Response(new Uint8Array(480)));
    const lines = [
      { voice: "eve", text: "One." },
      { voice: "rex", text: "Two." },
    ];
    const made = await speech.speak("grok-tts", { lines, speed: 1 }, callContext());
    expect(made).toMatchObject({ mediaType: "audio/wav", durationMs: 220 });
    expect(vendor.sent.map(({ body }) => body["voice_id"])).toEqual(["eve", "rex"]);
    expect(vendor.sent[0]?.body["output_format"]).toEqual({ codec: "pcm", sample_rate: 24_000 });
  });
});
