import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../contract.ts";
import { madeFile } from "./made-file.ts";
import { silentMp3, silentWav, tinyMp4, tinyPng } from "./media-testing.ts";
import { readWav, wavLengthMs, writeWav } from "./wav.ts";

describe("what was made", () => {
  test("says its kind, size and length by its own bytes", () => {
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

  test.each([[true], [false], [null]])("video says whether it has sound: %p", (sound) => {
    expect(madeFile(tinyMp4({ sound }), "video").hasSound).toBe(sound);
  });

  test("a tag before the sound is not counted as sound", () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20, ...new Array<number>(20).fill(0)]);
    expect(madeFile(Buffer.concat([tag, silentMp3(100)]), "audio").durationMs).toBe(2_612);
  });

  test.each([
    ["a page of HTML", "image", Buffer.from("<!doctype html><p>Sorry</p>")],
    ["a drawing in SVG", "image", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["nothing", "audio", new Uint8Array(0)],
    ["a picture where sound was asked for", "audio", tinyPng()],
    ["sound where video was asked for", "video", silentMp3()],
  ] as const)("%s is the provider's failure", (_name, kind, bytes) => {
    expect(() => madeFile(bytes, kind)).toThrow(ProviderFailure);
  });
});

describe("WAV", () => {
  test("what is written is read again", () => {
    const samples = Uint8Array.from({ length: 4_800 }, (_, at) => at % 251);
    const file = writeWav({ sampleRate: 24_000, channels: 1 }, [
      samples.subarray(0, 1_000),
      samples.subarray(1_000),
    ]);
    expect(readWav(file)).toEqual({ sampleRate: 24_000, channels: 1, samples, durationMs: 100 });
  });

  test.each([
    ["more than there is", 0xffffffff],
    ["nothing, by whoever sends while it speaks", 0],
  ])("a length that says %s is what is there", (_says, sizeBytes) => {
    const file = Buffer.from(silentWav(100));
    file.writeUInt32LE(sizeBytes, 4);
    file.writeUInt32LE(sizeBytes, 40);
    expect(readWav(file)?.durationMs).toBe(100);
    expect(wavLengthMs(file)).toBe(100);
  });

  test("an honest header is believed that there is no sound before what follows", () => {
    const file = Buffer.concat([silentWav(0), Buffer.from("LIST\x04\0\0\0abcd")]);
    file.writeUInt32LE(file.length - 8, 4);
    expect(wavLengthMs(file)).toBeNull();
  });

  test.each([
    ["24 bits", 1, 3, 1_000],
    ["floats", 3, 4, 750],
    ["µ-law", 7, 1, 3_000],
    ["more words", 0xfffe, 2, 1_500],
    ["a packed kind", 2, 256, undefined],
  ])("samples of %s last as long as they play", (_name, kind, frameBytes, durationMs) => {
    const file = Buffer.from(silentWav(1_500));
    file.writeUInt16LE(kind, 20);
    file.writeUInt16LE(frameBytes, 32);
    expect(wavLengthMs(file)).toBe(durationMs);
  });

  test("other kinds of samples and broken headers are none of ours", () => {
    const floats = Buffer.from(silentWav(100));
    floats.writeUInt16LE(3, 20);
    expect(readWav(floats)).toBeNull();
    expect(readWav(silentWav(100).subarray(0, 30))).toBeNull();
    expect(readWav(Buffer.from("RIFFxxxxWAVE"))).toBeNull();
  });
});
