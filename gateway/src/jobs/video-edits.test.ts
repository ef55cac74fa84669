import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { tinyVideo, videoState, wholeVideo } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { EXTENT_FIELDS, type VideoCall } from "../generation/index.ts";
import { credits } from "../kit/index.ts";
import { isoBox, isoPictureTrack, isoWords } from "../media/iso-testing.ts";
import { box, silentMp3, silentWav, tinyMp4, tinyPng } from "../providers/media/media-testing.ts";

const bench = await openVideoBench();
const { acme, other, video, callOf, finish } = bench;
afterAll(() => bench.close());

const CREDITS = 1_000;
let orgId: string;
beforeEach(async () => {
  orgId = await bench.found(CREDITS);
  acme.keepsExtent = true;
  other.keepsExtent = false;
  acme.mayKeepExtent = false;
  other.mayKeepExtent = false;
});

/** As the wire decodes it: everything that was not given has the model's default, four seconds in 480p. */
function edit(mp4: Uint8Array, more: Partial<VideoCall> = {}): VideoCall {
  const call = callOf(orgId);
  const referenceVideo = { bytes: Buffer.from(mp4), mediaType: "video/mp4" };
  return {
    ...call,
    options: { ...call.options, task: "edit", keepAudio: true },
    references: { referenceVideo },
    ...more,
  };
}

const refusal = (call: VideoCall) =>
  video.submit(call).then(
    () => "",
    ({ status, message }) => `${status} ${message}`,
  );

/** Found by id, because jobs of other tests may begin meanwhile. */
const askedFor = (requestId: string) => acme.begun.find((begun) => begun.requestId === requestId)?.request;

describe("an edit that keeps the video's length and size", () => {
  test.each([
    [{ width: 854, height: 480, durationMs: 3_000 }, 15],
    [{ width: 854, height: 480, durationMs: 9_004 }, 46],
    [{ width: 1_280, height: 720, durationMs: 10_000 }, 80],
    [{ width: 720, height: 1_280, durationMs: 12_032 }, 97],
  ])("of %j is held for and charged %d credits", async (made, cost) => {
    acme.states = [videoState(made)];
    const { requestId, estimate } = await video.submit(edit(tinyMp4(made)));
    expect(estimate).toBe(credits(cost));
    expect((await finish(orgId, requestId)).charge?.credits).toBe(credits(cost));
    const { durationMs, resolution } = askedFor(requestId) ?? {};
    expect([durationMs, resolution]).toEqual([made.durationMs, made.height >= 720 ? "720p" : "480p"]);
  });

  test("is held for by its longest track if its header says less", async () => {
    const track = Buffer.alloc(20);
    track.writeUInt32BE(1_000, 12);
    track.writeUInt32BE(8_000, 16);
    const hidden = box("moov", box("trak", box("mdia", box("mdhd", track))));
    const mp4 = Buffer.concat([tinyMp4({ durationMs: 1_000 }), hidden]);
    expect((await video.submit(edit(mp4))).estimate).toBe(credits(40));
  });

  test("is held for by its samples if its headers say less", async () => {
    const said = { units: 1_000, width: 854, height: 480 };
    const track = isoPictureTrack({ said, samples: [[80, 100]], width: 1_280, height: 720 });
    const movie = isoBox("moov", isoBox("mvhd", isoWords(0, 0, 0, 1_000, 1_000)), track);
    const brands = isoBox("ftyp", Buffer.from("isom\0\0\0\0isommp41"));
    const mp4 = Buffer.concat([brands, movie, isoBox("mdat", Buffer.from("video"))]);
    expect((await video.submit(edit(mp4))).estimate).toBe(credits(64));
  });

  test.each(EXTENT_FIELDS)("refuses the option %s, and holds nothing", async (field) => {
    expect(await refusal(edit(tinyMp4(), { said: [field] }))).toStartWith(`400 ${field}: must be absent`);
    expect(await bench.balance(orgId)).toBe(`0+0 ${CREDITS}+0`);
  });

  test("refuses a video longer than the model's maximum", async () => {
    const words = await refusal(edit(tinyMp4({ durationMs: 13_000 })));
    expect(words).toBe("400 reference_video: must last at most 12 seconds for this model");
  });

  test.each([
    ["length", tinyVideo()],
    ["size", wholeVideo()],
  ])("refuses a video whose %s cannot be read", async (_what, mp4) => {
    expect(await refusal(edit(mp4))).toStartWith("400 reference_video: must be an MP4 that says its length");
  });

  test("refuses these options even if only a later target keeps length and size", async () => {
    acme.keepsExtent = false;
    other.keepsExtent = true;
    expect(await refusal(edit(tinyMp4(), { said: ["duration"] }))).toContain("duration: must be absent");
  });
});

describe("a video that may keep the length and size of its reference, whatever the options", () => {
  const said = { durationMs: 1_000, resolution: "480p" };
  const large = { width: 1_280, height: 720, durationMs: 8_000 };
  const made = { width: 854, height: 480, durationMs: 1_000 };
  const asked = (mp4: Uint8Array, more: Partial<VideoCall> = {}) => {
    const call = edit(mp4, { said: ["duration", "resolution"], ...more });
    return { ...call, options: { ...call.options, ...said } };
  };

  beforeEach(() => {
    acme.keepsExtent = false;
    acme.mayKeepExtent = true;
  });

  test.each([
    ["as the reference", large, 64],
    ["as the options say", made, 5],
    ["some frames longer", { ...made, durationMs: 1_042 }, 5],
    ["longer", { ...made, durationMs: 1_142 }, 6],
    ["of unknown length and size", { width: null, height: null, durationMs: null }, 5],
  ])("is held for by the larger of both and charged by the result: %s", async (_name, made, cost) => {
    acme.states = [videoState(made)];
    const { requestId, estimate } = await video.submit(asked(tinyMp4(large)));
    expect(estimate).toBe(credits(64));
    expect((await finish(orgId, requestId)).charge?.credits).toBe(credits(cost));
    expect(askedFor(requestId)).toMatchObject(said);
  });

  test.each([
    ["is smaller and shorter than the options say", tinyMp4({ ...made, durationMs: 500 }), 5],
    ["is longer than the maximum", tinyMp4({ ...large, durationMs: 60_000 }), 96],
    ["says neither its length nor its size", tinyVideo(), 96],
    ["says its length but not its size", wholeVideo(), 96],
  ])("is held for up to the model's maximum if the reference %s", async (_name, mp4, most) => {
    expect((await video.submit(asked(mp4))).estimate).toBe(credits(most));
  });

  test.each([
    ["up to the model's maximum if the audio does not say its length", silentMp3(), "audio/mpeg", 60],
    ["by the length of the audio", silentWav(2_900), "audio/wav", 15],
    ["by the options if the audio is shorter", silentWav(500), "audio/wav", 5],
  ])("is held for, with reference audio, %s", async (_name, bytes, mediaType, most) => {
    const referenceAudio = { bytes: Buffer.from(bytes), mediaType };
    const { estimate } = await video.submit(asked(tinyMp4(made), { references: { referenceAudio } }));
    expect(estimate).toBe(credits(most));
  });

  test("is held for by its reference even if only a later target may keep it", async () => {
    acme.mayKeepExtent = false;
    other.mayKeepExtent = true;
    expect((await video.submit(asked(tinyMp4(large)))).estimate).toBe(credits(64));
    other.mayKeepExtent = false;
    expect((await video.submit(asked(tinyMp4(large)))).estimate).toBe(credits(5));
  });

  test("is held for by its options without a reference, or with only an image", async () => {
    const referenceImage = { bytes: Buffer.from(tinyPng()), mediaType: "image/png" };
    for (const references of [{}, { referenceImage }]) {
      expect((await video.submit(asked(tinyMp4(), { references }))).estimate).toBe(credits(5));
    }
  });
});

test.each([
  ["another task", () => callOf(orgId, { said: EXTENT_FIELDS })],
  ["an edit that accepts a length", () => edit(tinyVideo(), { said: EXTENT_FIELDS })],
])("%s is held for by its options", async (name, call) => {
  acme.keepsExtent = name === "another task";
  expect((await video.submit(call())).estimate).toBe(credits(20));
});
