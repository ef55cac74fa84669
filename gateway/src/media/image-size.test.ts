import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCanvas } from "../../../sandbox/src/pictures/canvas-testing.ts";
import { fastestMs } from "../../../test/fastest.ts";
import { hasTooManyPixels, imageSize } from "./image-size.ts";

const FORMATS = ["png", "jpeg", "webp", "avif", "gif"] as const;

async function encoded(format: (typeof FORMATS)[number], width: number, height: number): Promise<Uint8Array> {
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").fillRect(0, 0, 1, 1);
  const encode = canvas.encode.bind(canvas) as (format: string) => Promise<Uint8Array>;
  return encode(format);
}

describe("the size is read from the header", () => {
  for (const format of FORMATS) {
    test(format, async () => {
      for (const [width, height] of [
        [3, 2],
        [640, 123],
        [123, 640],
      ] as const) {
        expect(imageSize(await encoded(format, width, height))).toEqual({ width, height });
      }
    });
  }

  test("of WebP in its two simple forms", () => {
    const riff = (chunk: string) =>
      Uint8Array.from(`RIFF\x20\0\0\0WEBP${chunk}`, (char) => char.charCodeAt(0));
    const lossy = riff("VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\x7b\0");
    const lossless = riff("VP8L\x0a\0\0\0\x2f\x7f\x82\x1e\0\0\0\0\0\0");
    expect(imageSize(lossy)).toEqual({ width: 640, height: 123 });
    expect(imageSize(lossless)).toEqual({ width: 640, height: 123 });
  });
});

test("a PNG with too many pixels is detected by its header", async () => {
  const bomb = await encoded("png", 3, 2);
  new DataView(bomb.buffer, bomb.byteOffset).setUint32(16, 50_001);
  new DataView(bomb.buffer, bomb.byteOffset).setUint32(20, 1_000);
  const size = imageSize(bomb);
  expect(size).toEqual({ width: 50_001, height: 1_000 });
  expect(size && hasTooManyPixels(size)).toBe(true);
  expect(hasTooManyPixels({ width: 50_000, height: 1_000 })).toBe(false);
});

const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

describe("size: larger frames behind a small header count", () => {
  const screen = Buffer.concat([
    Buffer.from("GIF89a"),
    words(64, 64),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  const frame = (...place: [number, number, number, number]) =>
    Buffer.concat([Buffer.from([0x2c]), words(...place), Buffer.from([0, 2, 2, 0x44, 1, 0])]);
  const comment = Buffer.from([0x21, 0xfe, 3, 0x2c, 0x2c, 0x2c, 0]);
  const end = Buffer.from([0x3b]);

  test("a GIF frame beyond its screen, wherever it stands", () => {
    const large = { width: 20_000, height: 20_000 };
    expect(imageSize(Buffer.concat([screen, frame(0, 0, 20_000, 20_000), end]))).toEqual(large);
    expect(imageSize(Buffer.concat([screen, frame(19_936, 19_936, 64, 64), end]))).toEqual(large);
    const second = [comment, frame(0, 0, 64, 64), Buffer.from([0, 0]), comment, frame(0, 0, 20_000, 20_000)];
    expect(imageSize(Buffer.concat([screen, ...second]))).toEqual(large);
    expect(imageSize(Buffer.concat([screen, comment, frame(0, 0, 64, 64), end, ...second]))).toEqual({
      width: 64,
      height: 64,
    });
  });

  test("a truncated GIF has the size of its screen; one with endless blocks has none", () => {
    const whole = Buffer.concat([screen, comment, frame(0, 0, 64, 64), end]);
    for (let length = 10; length <= whole.length; length++) {
      expect(imageSize(whole.subarray(0, length))).toEqual({ width: 64, height: 64 });
    }
    expect(imageSize(Buffer.concat([screen, Buffer.alloc(2_000_000), frame(0, 0, 9, 9)]))).toBeNull();
    const crumbs = Buffer.concat([Buffer.from([0x21, 0xfe]), Buffer.alloc(3_000_000, 1)]);
    expect(imageSize(Buffer.concat([screen, crumbs, Buffer.from([0]), frame(0, 0, 9, 9)]))).toBeNull();
  });

  test("JPEG markers without a length are skipped, and unexpected ones give no size", () => {
    const extent = (side: number) =>
      Buffer.from([0xff, 0xc0, 0, 0x11, 8, side >> 8, side & 255, side >> 8, side & 255, 3, 0, 0, 0, 0]);
    const behind = (marker: number) => {
      const picture = Buffer.concat([
        Buffer.from([0xff, 0xd8, 0xff, marker]),
        extent(20_000),
        Buffer.alloc(0xffc0),
      ]);
      // Where a walk would end up that takes the next marker for the length of a segment.
      extent(64).copy(picture, 4 + 0xffc0);
      return picture;
    };
    for (const alone of [0x01, 0xd0, 0xd3, 0xd7]) {
      expect(imageSize(behind(alone))).toEqual({ width: 20_000, height: 20_000 });
    }
    for (const wrong of [0x00, 0x02, 0xbf, 0xc8, 0xd8, 0xd9, 0xda, 0xde, 0xdf, 0xf0, 0xfd]) {
      expect(imageSize(behind(wrong))).toBeNull();
    }
  });

  test("a WebP frame larger than its canvas", () => {
    const chunk = (name: string, ...inside: Uint8Array[]) => {
      const body = Buffer.concat(inside);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(body.length);
      return Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)]);
    };
    const file = (...chunks: Buffer[]) =>
      Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP", "latin1"), ...chunks]);
    const canvas = chunk("VP8X", Buffer.from([0, 0, 0, 0, 1, 0, 0, 1, 0, 0]));
    const lossless = chunk("VP8L", Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0]));
    const lossy = chunk("VP8 ", Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f]));
    const colours = chunk("ICCP", Buffer.alloc(3));
    const place = (width: number) => Buffer.from([0, 0, 0, 0, 0, 0, width - 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(imageSize(file(canvas, colours))).toEqual({ width: 2, height: 2 });
    expect(imageSize(file(canvas, colours, lossless))).toEqual({ width: 16_384, height: 16_384 });
    expect(imageSize(file(canvas, colours, lossy))).toEqual({ width: 16_383, height: 16_383 });
    expect(imageSize(file(canvas, chunk("ANMF", place(200))))).toEqual({ width: 200, height: 2 });
    const second = chunk("ANMF", place(2), lossless);
    expect(imageSize(file(canvas, chunk("ANMF", place(2), lossy), second))).toEqual({
      width: 16_384,
      height: 16_384,
    });
    expect(imageSize(file(canvas, ...Array<Buffer>(200_000).fill(chunk("free"))))).toBeNull();
  });
});

test("truncated or damaged images have a positive size or none, and nothing throws", async () => {
  const pictures = await Promise.all(FORMATS.map((format) => encoded(format, 30, 20)));
  const cut = fc.constantFrom(...pictures).chain((picture) =>
    fc.record({
      length: fc.nat(picture.length),
      at: fc.nat(picture.length - 1),
      value: fc.nat(255),
      picture: fc.constant(picture),
    }),
  );
  fc.assert(
    fc.property(cut, ({ picture, length, at, value }) => {
      const spoiled = picture.slice(0, length);
      if (at < length) spoiled[at] = value;
      const size = imageSize(spoiled);
      expect(size === null || (size.width > 0 && size.height > 0)).toBe(true);
    }),
  );
  expect(imageSize(new Uint8Array(0))).toBeNull();
  expect(imageSize(new TextEncoder().encode("<svg/>"))).toBeNull();
});

test("a JPEG of nothing but fill bytes has no size", () => {
  const fill = new Uint8Array(1 << 20).fill(0xff);
  fill[1] = 0xd8;
  expect(imageSize(fill)).toBeNull();
  expect(fastestMs(() => imageSize(fill), 3, 400)).toBeLessThan(400);
});
