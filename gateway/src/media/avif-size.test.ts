import { beforeAll, describe, expect, test } from "bun:test";
import { createCanvas } from "../../../sandbox/src/pictures/canvas-testing.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { av1Size } from "./av1-size.ts";
import { imageSize } from "./image-size.ts";
import { isoBox as box } from "./iso-testing.ts";

const words = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const FTYP = box("ftyp", Buffer.from("avif\0\0\0\0avif", "latin1"));
const EXTENT = box("ispe", words(0, 0, 0, 64, 0, 64));

/** Real bytes of libaom: a sequence header of 4,000 by 4,000 pixels, as in a video. */
const VIDEO_HEADER = Buffer.from("0a0c00000082efe7fe7ddaf90040", "hex");
const LARGE = { width: 4_000, height: 4_000 };
const SMALL = { width: 64, height: 64 };

type Item = { readonly id?: number; readonly type: string; readonly pieces: readonly Uint8Array[] };

/** Items whose bytes are in the file's own `idat`, piece by piece. */
function picture(items: readonly Item[], ...more: Buffer[]): Buffer {
  const pool = Buffer.concat(items.flatMap(({ pieces }) => pieces));
  let offset = 0;
  const places = items.map(({ id = 1, pieces }) => {
    const extents = pieces.map((piece) => {
      const extent = words(offset, piece.length);
      offset += piece.length;
      return extent;
    });
    return Buffer.concat([words(id, 1, 0, pieces.length), ...extents]);
  });
  const entries = items.map(({ id = 1, type }) =>
    box("infe", words(0x0200, 0, id, 0), Buffer.from(type), Buffer.alloc(1)),
  );
  return Buffer.concat([
    FTYP,
    box(
      "meta",
      Buffer.alloc(4),
      box("iinf", words(0, 0, items.length), ...entries),
      box("iloc", words(0x0100, 0, 0x2200, items.length), ...places),
      box("iprp", box("ipco", EXTENT)),
      box("idat", pool),
    ),
    ...more,
  ]);
}

describe("avif: a small declared size does not hide a larger picture", () => {
  let real: Buffer;
  beforeAll(async () => {
    real = Buffer.from(await createCanvas(640, 124).encode("avif"));
  });

  test("in a file of a real encoder", () => {
    expect(imageSize(real)).toEqual({ width: 640, height: 124 });
    const at = real.indexOf("ispe");
    words(0, 64, 0, 64).copy(real, at + 8);
    expect(imageSize(real)).toEqual({ width: 640, height: 124 });
  });

  test("as one item, as an item in pieces, or as a grid", () => {
    const delimiter = Buffer.from([0x12, 0]);
    const coded = [delimiter, VIDEO_HEADER];
    expect(imageSize(picture([{ type: "av01", pieces: [delimiter] }]))).toEqual(SMALL);
    expect(imageSize(picture([{ type: "av01", pieces: [Buffer.concat(coded)] }]))).toEqual(LARGE);
    const torn = [...Buffer.concat(coded)].map((byte) => Uint8Array.of(byte));
    expect(imageSize(picture([{ type: "av01", pieces: torn }]))).toEqual(LARGE);
    expect(imageSize(picture([{ type: "Exif", pieces: coded }]))).toEqual(SMALL);
    const grid = words(0x0000, 0x0101, 20_000, 30_000);
    expect(imageSize(picture([{ type: "grid", pieces: [grid] }]))).toEqual({ width: 20_000, height: 30_000 });
    const long = words(0x0001, 0x0101, 1, 0, 0, 9);
    expect(imageSize(picture([{ type: "grid", pieces: [long] }]))).toEqual({ width: 65_536, height: 64 });
  });

  test("an image sequence has no size", () => {
    expect(imageSize(picture([], box("free")))).toEqual(SMALL);
    expect(imageSize(picture([], box("moov")))).toBeNull();
  });

  test("a file beyond the limits has no size", () => {
    const pieces = (count: number) => Array<Uint8Array>(count).fill(Uint8Array.of(0x12));
    expect(imageSize(picture([{ type: "av01", pieces: pieces(65) }]))).toBeNull();
    const items = Array.from({ length: 5_000 }, (_, id) => ({ id, type: "Exif", pieces: pieces(1) }));
    expect(imageSize(picture(items))).toBeNull();
    const twice = ["Exif", "av01"].map((type) => ({ type, pieces: [VIDEO_HEADER] }));
    expect(imageSize(picture(twice))).toBeNull();
    const crumbs = Buffer.from("1200".repeat(30_000), "hex");
    const many = [1, 2, 3, 4].map((id) => ({ id, type: "av01", pieces: [crumbs.subarray(0, 60_000)] }));
    expect(imageSize(picture(many.slice(0, 1)))).toEqual(SMALL);
    expect(imageSize(picture(many))).toBeNull();
  });
});

describe("av1: the size is read from the sequence header", () => {
  const bytesOf = (bits: string) =>
    Buffer.from((bits.match(/.{1,8}/g) ?? []).map((each) => Number.parseInt(each.padEnd(8, "0"), 2)));
  const bits = (value: number, count: number) => value.toString(2).padStart(count, "0");
  const SIZE = bits(15, 4) + bits(11, 4) + bits(39_999, 16) + bits(2_999, 12);
  const unit = (body: Buffer) => Buffer.concat([Buffer.from([0x0a, body.length]), body]);
  const read = (text: string) => av1Size(unit(bytesOf(text)), { units: 10, bits: 10_000 });
  const size = { width: 40_000, height: 3_000 };
  const point = (level: number) => bits(0, 12) + bits(level, 5);
  const timing = (even: string) => bits(1, 32) + bits(30, 32) + even;

  test.each([
    ["of a still picture", `00011${bits(31, 5)}`],
    ["of a video", `00000${"00"}${bits(0, 5)}${point(5)}`],
    ["of a high level, which has a tier", `00000${"00"}${bits(0, 5)}${point(8)}1`],
    [
      "of two operating points and their delays",
      `00000${"01"}${bits(1, 5)}${point(5)}1${bits(3, 4)}${point(9)}00`,
    ],
    ["with timing", `00000${"1"}${timing("0")}0${"0"}${bits(0, 5)}${point(5)}`],
    ["with equal intervals", `00000${"1"}${timing(`1${"00101"}`)}0${"0"}${bits(0, 5)}${point(5)}`],
    [
      "with a decoder model",
      `00000${"1"}${timing("0")}1${bits(9, 5)}${bits(7, 32)}${bits(0, 10)}${"0"}${bits(0, 5)}${point(5)}1${bits(0, 21)}`,
    ],
  ])("%s", (_name, before) => {
    expect(read(before + SIZE)).toEqual(size);
    expect(read(before + SIZE.slice(0, -8))).toBeNull();
  });

  test("in any unit, with or without a length", () => {
    const body = bytesOf(`00011${bits(31, 5)}${SIZE}`);
    const other = Buffer.from([0x32, 0x83, 0x00, 1, 2, 3]);
    expect(av1Size(Buffer.concat([other, unit(body)]), { units: 10, bits: 10_000 })).toEqual(size);
    expect(av1Size(Buffer.concat([other, Buffer.from([0x08]), body]), { units: 10, bits: 10_000 })).toEqual(
      size,
    );
    expect(
      av1Size(Buffer.concat([Buffer.from([0x0e, 0, body.length]), body]), { units: 10, bits: 10_000 }),
    ).toEqual(size);
    expect(
      av1Size(Buffer.from([0x0a, ...Array<number>(9).fill(0xff)]), { units: 10, bits: 10_000 }),
    ).toBeNull();
  });
});

describe("avif: long headers", () => {
  /** Timing, a decoder model and 32 operating points: everything that precedes the size, as long as possible. */
  const longest = Buffer.from([0x0a, 0xfc, 0x02, 0xf7, ...Array<number>(379).fill(0xff)]);
  /** Announces 32 operating points and ends. */
  const cut = Buffer.from([0x0a, 2, 0x00, 0xff]);

  /** Every item refers to the same bytes. */
  function repeated(data: Uint8Array, count: number): Buffer {
    const ids = Array.from({ length: count }, (_, at) => at + 1);
    const meta = (offset: number) =>
      box(
        "meta",
        Buffer.alloc(4),
        box(
          "iinf",
          words(0, 0, count),
          ...ids.map((id) => box("infe", words(0x0200, 0, id, 0), Buffer.from("av01\0"))),
        ),
        box(
          "iloc",
          words(0, 0, 0x4400, count),
          ...ids.map((id) => words(id, 0, 1, offset >> 16, offset & 0xffff, 0, data.length)),
        ),
        box("iprp", box("ipco", EXTENT)),
      );
    const offset = FTYP.length + meta(0).length + 8;
    return Buffer.concat([FTYP, meta(offset), box("mdat", data)]);
  }

  test("a picture of a thousand tiles has its size", () => {
    expect(imageSize(repeated(VIDEO_HEADER, 1_000))).toEqual(LARGE);
  });

  test.each([
    ["4,000 items with the same bytes", repeated(Buffer.concat(Array<Buffer>(25).fill(longest)), 4_000)],
    ["truncated headers", repeated(Buffer.concat(Array<Buffer>(25).fill(cut)), 4_000)],
    [
      "one item of nothing but headers",
      picture([{ type: "av01", pieces: [Buffer.concat(Array<Buffer>(170).fill(longest))] }]),
    ],
  ])("take less than 100 ms: %s", (_name, file) => {
    expect(fastestMs(() => imageSize(file), 12, 100)).toBeLessThan(100);
  });
});
