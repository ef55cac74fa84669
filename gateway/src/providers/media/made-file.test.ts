import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../contract/index.ts";
import { readWav, wavLengthMs, writeWav } from "../../media/wav.ts";
import { madeFile } from "./made-file.ts";
import { silentMp3, silentWav, tinyMp4, tinyPng } from "./media-testing.ts";

describe("madeFile", () => {
  test("reads the media type, size and duration from the bytes", () => {
    expect(madeFile(tinyPng(640, 480), "image")).toMatchObject({
      mediaType: "image/png",
      width: 640,
      height: 480,
      durationMs: null,
    });
    expect(madeFile(silentMp3(383), "audio")).toMatchObject({ mediaType: "audio/mpeg", durationMs: 10_005 });
    expect(madeFile(silentWav(250), "audio")).toMatchObject({ mediaType: "audio/wav", durationMs: 250 });
    expect(madeFile(tinyMp4({ width: 1_280, height: 720, durationMs: 8_000 }), "video")).toMatchObject({
      mediaType: "video/mp4",
      width: 1_280,
      height: 720,
      durationMs: 8_000,
    });
  });

  test.each([[true], [false], [null]])("reads from a video whether it has sound: %p", (sound) => {
    expect(madeFile(tinyMp4({ sound }), "video").hasSound).toBe(sound);
  });

  test("does not count an ID3 tag as audio", () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20, ...new Array<number>(20).fill(0)]);
    expect(madeFile(Buffer.concat([tag, silentMp3(100)]), "audio").durationMs).toBe(2_612);
  });

  test.each([
    ["an HTML page", "image", Buffer.from("<!doctype html><p>Sorry</p>")],
    ["an SVG drawing", "image", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["an empty file", "audio", new Uint8Array(0)],
    ["an image where audio was requested", "audio", tinyPng()],
    ["audio where video was requested", "video", silentMp3()],
  ] as const)("throws a ProviderFailure for %s", (_name, kind, bytes) => {
    expect(() => madeFile(bytes, kind)).toThrow(ProviderFailure);
  });
});

describe("WAV", () => {
  test("readWav reads what writeWav wrote", () => {
    const samples = Uint8Array.from({ length: 4_800 }, (_, at) => at % 251);
    const file = writeWav({ sampleRate: 24_000, channels: 1 }, [
      samples.subarray(0, 1_000),
      samples.subarray(1_000),
    ]);
    expect(readWav(file)).toEqual({ sampleRate: 24_000, channels: 1, samples, durationMs: 100 });
  });

  test.each([
    ["beyond the end of the file", 0xffffffff],
    ["of zero, as streams have it", 0],
  ])("a header with a size %s gets the duration of the samples that are there", (_says, sizeBytes) => {
    const file = Buffer.from(silentWav(100));
    file.writeUInt32LE(sizeBytes, 4);
    file.writeUInt32LE(sizeBytes, 40);
    expect(readWav(file)?.durationMs).toBe(100);
    expect(wavLengthMs(file)).toBe(100);
  });

  test("an honest header without samples, before another chunk, gives no duration", () => {
    const file = Buffer.concat([silentWav(0), Buffer.from("LIST\x04\0\0\0abcd")]);
    file.writeUInt32LE(file.length - 8, 4);
    expect(wavLengthMs(file)).toBeNull();
  });

  test.each([
    ["24-bit samples", 1, 3, 1_000],
    ["float samples", 3, 4, 750],
    ["µ-law samples", 7, 1, 3_000],
    ["extensible-format samples", 0xfffe, 2, 1_500],
    ["compressed samples", 2, 256, undefined],
  ])(
    "the duration of %s follows from the frame size (unknown if compressed)",
    (_name, kind, frameBytes, durationMs) => {
      const file = Buffer.from(silentWav(1_500));
      file.writeUInt16LE(kind, 20);
      file.writeUInt16LE(frameBytes, 32);
      expect(wavLengthMs(file)).toBe(durationMs);
    },
  );

  test("readWav returns null for float samples and broken headers", () => {
    const floats = Buffer.from(silentWav(100));
    floats.writeUInt16LE(3, 20);
    expect(readWav(floats)).toBeNull();
    expect(readWav(silentWav(100).subarray(0, 30))).toBeNull();
    expect(readWav(Buffer.from("RIFFxxxxWAVE"))).toBeNull();
  });
});
