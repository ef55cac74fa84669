import { describe, expect, test } from "bun:test";
import {
  inMemory,
  type MadeFile,
  type Provider,
  type VideoRequest,
  type VideoState,
} from "../../../gateway/src/contract/index.ts";
import { tinyMp4, tinyPng, videoRequest } from "../../../gateway/src/providers/media/media-testing.ts";
import { context, expectSame, openBothWays } from "./both-ways-testing.ts";

openBothWays();

/** A file by its bytes, since the same request gives the same file. */
function shown({ bytes, mediaType, width, height }: MadeFile) {
  return { digest: Bun.hash(bytes).toString(16), mediaType, width, height };
}

describe("images", () => {
  const request = { prompt: "a red boat", aspectRatio: "1:1", tier: "1k", n: 1 } as const;
  const making = (more: object) => async (provider: Provider) => {
    const made = await provider.image?.makeImages("sandbox-image", { ...request, ...more }, context());
    return made?.map(shown);
  };

  test.each<[string, object]>([
    ["one", {}],
    ["two wide ones, without clouds", { n: 2, aspectRatio: "21:9", negativePrompt: "clouds" }],
    ["a small JPEG", { aspectRatio: "3:2", finish: { format: "jpeg", compression: 40 } }],
    ["a WebP", { finish: { format: "webp" } }],
  ])("%s", async (_name, more) => {
    const outcome = await expectSame(making(more));
    expect(outcome.made?.length).toBeGreaterThan(0);
  });

  test.each(["[sandbox:error=429]", "[sandbox:error=422]", "[sandbox:fail]", "[sandbox:eror=1]"])(
    "%s",
    async (prompt) => {
      const outcome = await expectSame(making({ prompt }));
      expect(outcome.failure).toBeDefined();
    },
  );
});

describe("speech", () => {
  const reading =
    (lines: readonly { voice: string | null; text: string }[], speed = 1) =>
    async (provider: Provider) => {
      const made = await provider.speech?.speak("sandbox-voice", { lines, speed }, context());
      return made && shown(made);
    };

  test.each([
    ["one voice", [{ voice: "ben", text: "Good morning." }], 1],
    ["the usual voice, faster", [{ voice: null, text: "Good morning." }], 1.5],
    [
      "two voices",
      [
        { voice: "ava", text: "Hello." },
        { voice: "ben", text: "Hello to you." },
      ],
      1,
    ],
  ] as const)("%s", async (_name, lines, speed) => {
    expect((await expectSame(reading(lines, speed))).made?.mediaType).toBe("audio/mpeg");
  });

  test.each(["[sandbox:error=503] hi", "[sandbox:fail] hi"])("%s", async (text) => {
    expect((await expectSame(reading([{ voice: null, text }]))).failure).toBeDefined();
  });

  test("an unknown voice is refused in the same words", async () => {
    expect((await expectSame(reading([{ voice: "nobody", text: "hi" }]))).failure?.kind).toBe("rejected");
  });
});

describe("music", () => {
  const request = { prompt: "a calm morning", style: null, durationMs: 1_000, referenceImages: [] };
  const composing = (more: object) => async (provider: Provider) => {
    const made = await provider.music?.compose("sandbox-music", { ...request, ...more }, context());
    return made && shown(made);
  };
  const picture = { bytes: tinyPng(), mediaType: "image/png" };

  test.each<[string, object]>([
    ["from words", {}],
    ["in a style", { style: "pop" }],
    ["of a broken length", { durationMs: 1_250 }],
    ["with a picture", { referenceImages: [picture] }],
    ["after a while", { prompt: "a calm morning [sandbox:delay=30ms]" }],
  ])("%s", async (_name, more) => {
    expect((await expectSame(composing(more))).made?.mediaType).toBe("audio/mpeg");
  });

  test.each([
    "[sandbox:error=429]",
    "[sandbox:error=408][sandbox:delay=30ms]",
    "[sandbox:error=422]",
    "[sandbox:fail]",
    "[sandbox:eror=1]",
  ])("%s", async (prompt) => {
    expect((await expectSame(composing({ prompt }))).failure).toBeDefined();
  });
});

describe("video", () => {
  const short = { durationMs: 300, resolution: "240p", aspectRatio: "1:1", draft: true };
  const file = (bytes: Uint8Array, mediaType: string) => inMemory({ bytes, mediaType });

  /** The end of a job, whose id is each way's own, as long as no poll fails. */
  const filming = (more: Partial<VideoRequest>) => async (provider: Provider) => {
    const wanted = videoRequest({ ...short, ...more });
    const own = context();
    const { video } = provider;
    if (video === undefined) throw new Error("there is no video");
    const operation = await video.begin("sandbox-video", wanted, own);
    let seen: VideoState;
    do seen = await video.poll("sandbox-video", { operation, request: async () => wanted }, own);
    while (seen.state === "running");
    return seen.state === "succeeded" ? shown(seen.file) : seen;
  };

  test.each<[string, Partial<VideoRequest>]>([
    ["from text", {}],
    ["with a seed", { seed: 4_294_967_295 }],
    ["with sound", { sound: true }],
    ["in full", { draft: false }],
    ["from an image", { task: "image_to_video", referenceImage: file(tinyPng(), "image/png") }],
    [
      "from an image alone",
      { task: "image_to_video", prompt: null, referenceImage: file(tinyPng(), "image/png") },
    ],
    [
      "by the likeness of an image",
      { task: "reference_to_video", referenceImage: file(tinyPng(), "image/png") },
    ],
    ["edited", { task: "edit", referenceVideo: file(tinyMp4(), "video/mp4"), keepAudio: false }],
    ["of a long prompt", { prompt: `a boat ${"☃ on the sea ".repeat(2_000)}` }],
  ])("%s", async (_name, more) => {
    expect((await expectSame(filming(more))).made).toMatchObject({ mediaType: "video/mp4" });
  });

  test.each([
    "[sandbox:fail]",
    "[sandbox:fail][sandbox:processing=30ms]",
    "[sandbox:error=429]",
    "[sandbox:error=422]",
    "[sandbox:error=422][sandbox:delay=30ms]",
    "[sandbox:error=429][sandbox:delay=30ms]",
    "[sandbox:error=408][sandbox:processing=30ms][sandbox:delay=1ms]",
    "[sandbox:eror=1]",
  ])("%s", async (prompt) => {
    const outcome = await expectSame(filming({ prompt }));
    expect(outcome).not.toMatchObject({ made: { mediaType: "video/mp4" } });
  });

  test("an image that cannot be read fails the job in the same words", async () => {
    const referenceImage = file(Buffer.from("no picture"), "image/png");
    expect((await expectSame(filming({ referenceImage }))).made).toMatchObject({
      state: "failed",
      reason: "rejected",
    });
  });
});
