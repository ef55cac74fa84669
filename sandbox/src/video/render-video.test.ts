import { beforeAll, describe, expect, test } from "bun:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import type { GivenFile, MadeFile, VideoRequest } from "../../../gateway/src/contract/index.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import { renderPicture } from "../pictures/render-picture.ts";
import { renderVideo } from "./render-video.ts";
import { SMALL_REQUEST, silentFlac, toneWave } from "./testing.ts";
import { sizeFor } from "./video-size.ts";

const videoOf = (wishes: Partial<VideoRequest<GivenFile>>) =>
  renderVideo({ kind: "video", request: { ...SMALL_REQUEST, ...wishes } });

async function reading({ bytes }: MadeFile) {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  let frames = 0;
  const keyframes: number[] = [];
  if (video) {
    const packets = new EncodedPacketSink(video);
    for (let packet = await packets.getFirstPacket(); packet; packet = await packets.getNextPacket(packet)) {
      frames++;
      if (packet.type === "key") keyframes.push(packet.timestamp);
    }
  }
  return {
    video: await video?.getCodec(),
    audio: await audio?.getCodec(),
    size: [await video?.getCodedWidth(), await video?.getCodedHeight()],
    seconds: await input.computeDuration(),
    frames,
    keyframes,
  };
}

async function upsideDown({ bytes }: MadeFile): Promise<GivenFile> {
  const image = await loadImage(Buffer.from(bytes));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.scale(1, -1);
  context.drawImage(image, 0, -image.height);
  return { bytes: canvas.toBuffer("image/png"), mediaType: "image/png" };
}

describe("a video", () => {
  let silent: MadeFile;
  let sounding: MadeFile;
  beforeAll(async () => {
    silent = await videoOf({});
    sounding = await videoOf({ sound: true });
  });

  test("has the requested duration and size, and fewer frames as a draft", async () => {
    expect(silent).toMatchObject({ mediaType: "video/mp4", width: 480, height: 480, durationMs: 1_000 });
    const { video, audio, frames, seconds } = await reading(silent);
    expect([video, audio, frames]).toEqual(["avc", undefined, 12]);
    expect(seconds).toBeCloseTo(1, 1);
    expect((await reading(await videoOf({ draft: false, prompt: "abstract" }))).frames).toBe(24);
  });

  test("begins with its index, so that a player need not wait for the whole file", () => {
    const text = Buffer.from(silent.bytes).toString("latin1");
    expect(text.indexOf("moov")).toBeLessThan(text.indexOf("mdat"));
  });

  test("marks one frame every two seconds as a keyframe", async () => {
    expect((await reading(silent)).keyframes).toEqual([0]);
    const longer = await videoOf({ durationMs: 2_500, prompt: "abstract" });
    expect((await reading(longer)).keyframes).toEqual([0, 2]);
  });

  test("is the same for the same request, and different for another seed", async () => {
    expect((await videoOf({})).bytes).toEqual(silent.bytes);
    expect((await videoOf({ seed: 8 })).bytes).not.toEqual(silent.bytes);
  });

  test("has an audio track if sound is requested", async () => {
    const { audio, seconds } = await reading(sounding);
    expect(audio).toBe("mp3");
    expect(seconds).toBeLessThan(1.2);
  });

  test("has the caller's audio as its track, WAV as MP3 and FLAC as FLAC", async () => {
    const wave = { bytes: toneWave(2), mediaType: "audio/wav" };
    expect((await reading(await videoOf({ referenceAudio: wave }))).audio).toBe("mp3");
    const flac = { bytes: silentFlac(12), mediaType: "audio/flac" };
    expect((await reading(await videoOf({ referenceAudio: flac }))).audio).toBe("flac");
  });

  test("keeps the audio of its reference video unless keepAudio is false", async () => {
    const given = {
      task: "edit" as const,
      referenceVideo: { bytes: sounding.bytes, mediaType: "video/mp4" },
    };
    expect((await reading(await videoOf(given))).audio).toBe("mp3");
    expect((await reading(await videoOf({ ...given, keepAudio: false }))).audio).toBeUndefined();
  });

  test("changes with its reference image", async () => {
    const picture = await renderPicture({
      kind: "image",
      request: { prompt: "a house", aspectRatio: "1:1", tier: "1k" },
      index: 0,
    });
    const made = await videoOf({ task: "image_to_video", referenceImage: picture });
    const turned = await videoOf({ task: "image_to_video", referenceImage: await upsideDown(picture) });
    expect(made.bytes).not.toEqual(silent.bytes);
    expect(made.bytes).not.toEqual(turned.bytes);
  });

  test("refuses reference images that are SVG, broken or empty", async () => {
    for (const bytes of [
      new TextEncoder().encode(
        "<svg xmlns='http://www.w3.org/2000/svg'><image href='http://127.0.0.1/'/></svg>",
      ),
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]),
      new Uint8Array(),
    ]) {
      const refused = videoOf({ referenceImage: { bytes, mediaType: "image/png" } });
      expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(RenderRefusal);
    }
  });

  test("is made even if its reference audio and video cannot be read", async () => {
    const nonsense = { bytes: new Uint8Array(64).fill(7), mediaType: "audio/ogg" };
    const made = await videoOf({
      referenceAudio: nonsense,
      referenceVideo: { ...nonsense, mediaType: "video/mp4" },
    });
    expect((await reading(made)).video).toBe("avc");
  });
});

test("a video's sides are even, and the shorter one is its resolution", () => {
  expect(sizeFor("480p", "16:9")).toEqual({ width: 854, height: 480 });
  expect(sizeFor("1080p", "9:16")).toEqual({ width: 1080, height: 1920 });
  expect(sizeFor("720p", "21:9")).toEqual({ width: 1680, height: 720 });
});
