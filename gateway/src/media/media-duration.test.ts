import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isoBox, isoPictureTrack, isoWords } from "./iso-testing.ts";
import { mediaDurationMs } from "./media-duration.ts";
import { MEDIA_TYPES } from "./media-type.ts";

function box(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

function mvhd(units: number | bigint): Buffer {
  const isLong = typeof units === "bigint";
  const body = Buffer.alloc(isLong ? 32 : 20);
  body[0] = isLong ? 1 : 0;
  body.writeUInt32BE(1000, isLong ? 20 : 12);
  if (isLong) body.writeBigUInt64BE(units, 24);
  else body.writeUInt32BE(units, 16);
  return box("moov", box("mvhd", body));
}

function flac(perSecond: number, samples: number): Buffer {
  const bytes = Buffer.alloc(42);
  bytes.write("fLaC", 0, "latin1");
  bytes.writeUInt32BE(perSecond << 12, 18);
  bytes[21] = (bytes[21] ?? 0) | Math.floor(samples / 2 ** 32);
  bytes.writeUInt32BE(samples % 2 ** 32, 22);
  return bytes;
}

function wav({ bytesPerSecond, frameBytes }: { bytesPerSecond: number; frameBytes: number }): Buffer {
  const bytes = Buffer.alloc(8_000);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(bytesPerSecond, 28);
  bytes.writeUInt16LE(frameBytes, 32);
  return bytes;
}

/** Its headers say one second. */
const SMALL = { said: { units: 1_000, width: 854, height: 480 }, width: 1_920, height: 1_080 } as const;

function video(...tracks: Buffer[]): Buffer {
  return isoBox("moov", isoBox("mvhd", isoWords(0, 0, 0, 1_000, 1_000)), ...tracks);
}

describe("the duration", () => {
  test("of WAV is the longest that its rates allow", () => {
    expect(mediaDurationMs(wav({ bytesPerSecond: 8_000, frameBytes: 1 }), "audio/wav")).toBe(1_000);
    expect(mediaDurationMs(wav({ bytesPerSecond: 800_000, frameBytes: 1 }), "audio/wav")).toBe(1_000);
    expect(mediaDurationMs(wav({ bytesPerSecond: 4_000, frameBytes: 256 }), "audio/wav")).toBe(2_000);
    expect(mediaDurationMs(wav({ bytesPerSecond: 0, frameBytes: 0 }), "audio/wav")).toBeNull();
  });

  test("of MP4 is read in the short and the long form", () => {
    expect(mediaDurationMs(mvhd(2_500), "video/mp4")).toBe(2_500);
    expect(mediaDurationMs(mvhd(86_400_000n), "video/mp4")).toBe(86_400_000);
  });

  test("of MP4 is undefined if its header says 0 or unknown", () => {
    expect(mediaDurationMs(mvhd(0), "video/mp4")).toBeUndefined();
    expect(mediaDurationMs(mvhd(0xffffffff), "video/mp4")).toBeUndefined();
  });

  test("of MP4 is null without a header or with a truncated one", () => {
    expect(mediaDurationMs(Buffer.alloc(8), "video/mp4")).toBeNull();
    expect(mediaDurationMs(box("moov", box("mvhd", Buffer.alloc(10))), "video/mp4")).toBeNull();
  });

  test.each([
    ["one row counts them all", { samples: [[80, 100]] }],
    [
      "two rows count them all",
      {
        samples: [
          [4, 1_000],
          [8, 500],
        ],
      },
    ],
    ["the last row applies to samples that no row counts", { samples: [[1, 100]], samplesInAll: 80 }],
  ] as const)("of MP4 is that of its samples if its header says less: %s", (_name, table) => {
    const lying = video(isoPictureTrack({ ...SMALL, ...table }));
    expect(mediaDurationMs(lying, "video/mp4")).toBe(8_000);
  });

  test("of MP4 is never less than its header says, even with shorter samples", () => {
    expect(mediaDurationMs(video(isoPictureTrack({ ...SMALL, samples: [[5, 100]] })), "video/mp4")).toBe(
      1_000,
    );
  });

  test.each([
    ["short", isoWords(0, 2, 4_000, 0, 65_536, 4_000, 0, 65_536)],
    ["long", isoWords(0x01000000, 2, 0, 4_000, 0, 0, 65_536, 0, 4_000, 0, 0, 65_536)],
  ])("of MP4 that repeats a second is that of its edits, in their %s form", (_form, edits) => {
    const more = isoBox("edts", isoBox("elst", edits));
    const repeating = video(isoPictureTrack({ ...SMALL, samples: [[10, 100]], more }));
    expect(mediaDurationMs(repeating, "video/mp4")).toBe(8_000);
  });

  test("of MP4 with edits of unknown length is what the rest says", () => {
    const more = isoBox("edts", isoBox("elst", isoWords(0, 1, 0xffffffff, 0, 65_536)));
    const open = video(isoPictureTrack({ ...SMALL, samples: [[10, 100]], more }));
    expect(mediaDurationMs(open, "video/mp4")).toBe(1_000);
  });

  test("of MP4 is null if its samples have no clock or two", () => {
    const track = isoPictureTrack({ ...SMALL, samples: [[80, 100]] });
    const clock = isoBox("mdhd", isoWords(0, 0, 0, 1_000, 1_000));
    const without = Buffer.from(track.toString("latin1").replace("mdhd", "free"), "latin1");
    const twice = isoBox("trak", track.subarray(8), isoBox("mdia", clock));
    expect(mediaDurationMs(video(without), "video/mp4")).toBeNull();
    expect(mediaDurationMs(video(twice), "video/mp4")).toBeNull();
  });

  test("of MP4 with truncated tables is what is left of them", () => {
    const cut = (rows: Buffer) =>
      video(isoBox("trak", isoBox("mdia", clock(), isoBox("minf", isoBox("stbl", isoBox("stts", rows))))));
    const clock = () => isoBox("mdhd", isoWords(0, 0, 0, 1_000, 500));
    expect(mediaDurationMs(cut(isoWords(0, 9, 80, 100, 7)), "video/mp4")).toBe(8_000);
    expect(mediaDurationMs(cut(isoWords(0)), "video/mp4")).toBe(1_000);
  });

  test("of FLAC, also with more than 2^32 samples; undefined without samples, null without a rate", () => {
    expect(mediaDurationMs(flac(48_000, 96_000), "audio/flac")).toBe(2_000);
    expect(mediaDurationMs(flac(8_000, 2 ** 33), "audio/flac")).toBe((2 ** 33 / 8_000) * 1000);
    expect(mediaDurationMs(flac(48_000, 0), "audio/flac")).toBeUndefined();
    expect(mediaDurationMs(flac(0, 5), "audio/flac")).toBeNull();
  });

  test("of MP3 is undefined", () => {
    expect(mediaDurationMs(Buffer.alloc(8), "audio/mpeg")).toBeUndefined();
  });
});

test("any bytes of any type have a duration that is not negative, or none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(...MEDIA_TYPES), (bytes, type) => {
      const durationMs = mediaDurationMs(bytes, type);
      expect(durationMs === null || durationMs === undefined || durationMs >= 0).toBe(true);
    }),
  );
});
