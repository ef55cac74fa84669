import { describe, expect, test } from "bun:test";
import { createCanvas } from "@napi-rs/canvas";
import fc from "fast-check";
import { hasTooManyPixels, imageSize } from "./image-size.ts";

const FORMATS = ["png", "jpeg", "webp", "avif", "gif"] as const;

async function encoded(format: (typeof FORMATS)[number], width: number, height: number): Promise<Uint8Array> {
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").fillRect(0, 0, 1, 1);
  const encode = canvas.encode.bind(canvas) as (format: string) => Promise<Uint8Array>;
  return encode(format);
}

describe("the header of a real encoder says the size", () => {
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

test("a bomb is known by its header", async () => {
  const bomb = await encoded("png", 3, 2);
  new DataView(bomb.buffer, bomb.byteOffset).setUint32(16, 50_001);
  new DataView(bomb.buffer, bomb.byteOffset).setUint32(20, 1_000);
  const size = imageSize(bomb);
  expect(size).toEqual({ width: 50_001, height: 1_000 });
  expect(size && hasTooManyPixels(size)).toBe(true);
  expect(hasTooManyPixels({ width: 50_000, height: 1_000 })).toBe(false);
});

test("what is cut off or empty has no size, and nothing throws", async () => {
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

test("a JPEG of nothing but fill bytes is read once", () => {
  const fill = new Uint8Array(1 << 20).fill(0xff);
  fill[1] = 0xd8;
  expect(imageSize(fill)).toBeNull();
});
