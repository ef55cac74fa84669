import { afterEach, describe, expect, test } from "bun:test";
import { inMemory, type VideoOperation } from "../../../contract/index.ts";
import { createPublicFetch } from "../../../outbound/index.ts";
import { failureFrom } from "../../../outbound/testing.ts";
import {
  base64,
  callContext,
  expectWashed,
  type MediaVendor,
  startMediaVendor,
  tinyMp4,
  tinyPng,
  videoRequest,
} from "../../media/media-testing.ts";
import { createGoogleMedia } from "./google-media.ts";

const VEO = "veo-3.1-lite-generate-preview";
const NAME = `models/${VEO}/operations/umz7sqimep69`;
const IMAGE = inMemory({ bytes: tinyPng(), mediaType: "image/png" });

let vendor: MediaVendor;
afterEach(() => vendor.close());

function veo(
  answer: Parameters<typeof startMediaVendor>[0],
  options: Parameters<typeof startMediaVendor>[1] = {},
) {
  vendor = startMediaVendor(answer, options);
  const { video } = vendor.provider(createGoogleMedia);
  if (video === undefined) throw new Error("no videos");
  return video;
}

const poll = (video: ReturnType<typeof veo>, operation: VideoOperation = { operationName: NAME }) =>
  video.poll(VEO, { operation, request: async () => videoRequest() }, callContext());

const done = (response: object) => Response.json({ name: NAME, done: true, response });
const samplesAt = (uri: string) => ({ generateVideoResponse: { generatedSamples: [{ video: { uri } }] } });

describe("starting a video of Veo", () => {
  test("returns the operation as plain JSON, and sends the options of the request", async () => {
    const video = veo(() => Response.json({ name: NAME }));
    const request = videoRequest({ durationMs: 8_000, resolution: "1080p", seed: 0 });
    const operation = await video.begin(VEO, request, callContext());
    expect(JSON.parse(JSON.stringify(operation))).toEqual({ operationName: NAME });
    expect(video.knowsOurId).toBeFalse();
    expect(vendor.sent[0]).toMatchObject({
      path: `/models/${VEO}:predictLongRunning`,
      body: {
        instances: [{ prompt: "a calm wave" }],
        parameters: { sampleCount: 1, aspectRatio: "16:9", resolution: "1080p", durationSeconds: 8, seed: 0 },
      },
    });
  });

  test("an image is sent as the first frame or as a reference, by task", async () => {
    const video = veo(() => Response.json({ name: NAME }));
    const image = { bytesBase64Encoded: base64(tinyPng()), mimeType: "image/png" };
    for (const task of ["image_to_video", "reference_to_video"] as const) {
      await video.begin(VEO, videoRequest({ task, referenceImage: IMAGE }), callContext());
    }
    const [first, second] = vendor.sent.map(({ body }) => body["instances"]);
    expect(first).toEqual([{ prompt: "a calm wave", image }]);
    expect(second).toEqual([{ prompt: "a calm wave", referenceImages: [{ image, referenceType: "asset" }] }]);
  });

  test.each([
    ["an edit", { task: "edit", referenceVideo: inMemory({ bytes: tinyMp4(), mediaType: "video/mp4" }) }],
    ["a draft", { draft: true }],
    ["reference audio", { referenceAudio: inMemory({ bytes: new Uint8Array(3), mediaType: "audio/mpeg" }) }],
  ] as const)("%s is refused before anything is sent", async (_name, more) => {
    const video = veo(() => Response.json({ name: NAME }));
    const failure = await failureFrom(video.begin(VEO, videoRequest(more), callContext()));
    expect(failure.kind).toBe("rejected");
    expect(vendor.sent).toHaveLength(0);
  });

  test.each([
    ["no operation", () => Response.json({}), "unavailable"],
    ["429", () => new Response("{}", { status: 429, headers: { "retry-after": "5" } }), "rate_limited"],
    ["403", () => new Response("{}", { status: 403 }), "unauthorized"],
  ] as const)("%s fails the start", async (_name, answer, kind) => {
    const video = veo(answer);
    expect((await failureFrom(video.begin(VEO, videoRequest(), callContext()))).kind).toBe(kind);
  });
});

describe("polling a video of Veo", () => {
  test("an operation that is not done is running, whatever its metadata", async () => {
    const answers = [{ name: NAME }, { name: NAME, done: false, metadata: { state: "DREAMING" } }];
    const video = veo(() => Response.json(answers.shift()));
    expect(await poll(video)).toEqual({ state: "running" });
    expect(await poll(video)).toEqual({ state: "running" });
    expect(vendor.sent[0]?.path).toBe(`/${NAME}`);
  });

  test("the video is fetched from the provider's own host, through its redirects, with our key", async () => {
    const video = veo(({ path }, origin) => {
      if (path.startsWith("/files/")) return Response.redirect(`${origin}/download${path}`, 302);
      if (path.startsWith("/download/")) return new Response(Buffer.from(tinyMp4({ durationMs: 8_000 })));
      return done(samplesAt(`${origin}/files/zqw12:download?alt=media`));
    });
    expect(await poll(video)).toMatchObject({
      state: "succeeded",
      file: { mediaType: "video/mp4", width: 640, height: 480, durationMs: 8_000 },
    });
    expect(vendor.sent.at(-1)?.path).toBe("/download/files/zqw12:download?alt=media&key=secret-key-1");
  });

  test("our key is not sent to another host", async () => {
    const asked: string[] = [];
    const hosted = async (url: string) => {
      asked.push(url);
      return { bytes: Buffer.from(tinyMp4()), mediaType: "video/mp4" };
    };
    const video = veo(() => done(samplesAt("https://cdn.example/video?alt=media")), { hosted });
    expect((await poll(video)).state).toBe("succeeded");
    expect(asked).toEqual(["https://cdn.example/video?alt=media"]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "https://127.0.0.1/video.mp4",
    "https://[::1]/video.mp4",
    "file:///etc/passwd",
    "https://user@10.0.0.1/video.mp4",
  ])("a URL that is not public fails the job: %s", async (url) => {
    const video = veo(() => done(samplesAt(url)), { hosted: createPublicFetch() });
    const state = await poll(video);
    expect(state).toMatchObject({ state: "failed", reason: "provider_error" });
    if (state.state === "failed") expectWashed(state.message);
  });

  test("a file that is not a video fails the job; a download that fails does not", async () => {
    const files = [new Response("", { status: 503 }), new Response("<html>")];
    const video = veo(({ path }, origin) =>
      path.startsWith("/files/")
        ? (files.shift() ?? new Response(null))
        : done(samplesAt(`${origin}/files/x`)),
    );
    expect((await failureFrom(poll(video))).kind).toBe("unavailable");
    expect(await poll(video)).toMatchObject({ state: "failed", reason: "provider_error" });
  });

  test.each([
    [
      "an error",
      { error: { code: 3, message: "the frame is too large for secret-key-1, see 127.0.0.1" } },
      "provider_error",
    ],
    ["an error without a message", { error: { code: 13 } }, "provider_error"],
    ["an error whose message is null", { error: { code: 13, message: null } }, "provider_error"],
    ["an error about content", { error: { message: "violates our safety rules" } }, "content_filter"],
    [
      "an end without a video",
      { response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["x"] } } },
      "content_filter",
    ],
    ["an end without anything", { response: {} }, "content_filter"],
  ] as const)("%s fails the job", async (_name, end, reason) => {
    const video = veo(() => Response.json({ name: NAME, done: true, ...end }));
    const state = await poll(video);
    expect(state).toMatchObject({ state: "failed", reason });
    if (state.state === "failed") expectWashed(state.message);
  });

  test.each([
    ["a server that fails", () => new Response("{}", { status: 500 }), "unavailable"],
    ["garbage", () => new Response("done!"), "unavailable"],
    ["an answer of another shape", () => Response.json({ done: "yes", error: {} }), "unavailable"],
    ["an error before the end", () => Response.json({ done: false, error: { code: 13 } }), "unavailable"],
    ["an unknown operation", () => new Response("{}", { status: 404 }), "unauthorized"],
  ] as const)("%s fails the poll, not the job", async (_name, answer, kind) => {
    expect((await failureFrom(poll(veo(answer)))).kind).toBe(kind);
  });
});
