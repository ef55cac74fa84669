import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { tintOf } from "../music/render-music.ts";
import { decodePicture } from "../video/references.ts";
import { withoutLargeChunks } from "./lean-png.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function chunk(name: string, content: Uint8Array | number): Buffer {
  const named = Buffer.concat([
    Buffer.from(name),
    typeof content === "number" ? Buffer.alloc(content, 7) : content,
  ]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(named.length - 4, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(Bun.hash.crc32(named), named.length + 4);
  return framed;
}

/** One white pixel. */
const HEAD = chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]));
const PIXEL = chunk("IDAT", deflateSync(Buffer.from([0, 255, 255, 255])));
const END = chunk("IEND", 0);
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);

describe("a PNG for the canvas", () => {
  test("loses every chunk that is too large, wherever it is, and keeps all others", () => {
    const [text, profile] = [chunk("tEXt", 65_536), chunk("iCCP", 1_048_576)];
    const large = [
      chunk("tEXt", 65_537),
      chunk("iCCP", 1_048_577),
      chunk("PLTE", 90_000),
      chunk("tRNS", 90_000),
    ];
    const given = png(HEAD, ...large, text, profile, PIXEL, ...large, END);
    expect(withoutLargeChunks(given).equals(png(HEAD, text, profile, PIXEL, END))).toBe(true);
  });

  test("keeps all of its pixel data, however large", () => {
    const given = png(HEAD, chunk("IDAT", 3_000_000), chunk("IDAT", 3_000_000), END);
    expect(withoutLargeChunks(given).equals(given)).toBe(true);
  });

  test("loses a truncated chunk that is too large, but keeps truncated pixel data", () => {
    const cut = chunk("prVt", 200_000).subarray(0, 100_000);
    expect(withoutLargeChunks(png(HEAD, PIXEL, cut)).equals(png(HEAD, PIXEL))).toBe(true);
    const pixels = chunk("IDAT", 200_000).subarray(0, 100_000);
    expect(withoutLargeChunks(png(HEAD, pixels)).equals(png(HEAD, pixels))).toBe(true);
  });

  test("stays unchanged from where it is broken, and so does anything that is not a PNG", () => {
    const large = chunk("prVt", 90_000);
    const broken = png(HEAD, Buffer.alloc(20), large);
    for (const given of [broken, Buffer.concat([HEAD, large]), Buffer.from("GIF89a"), Buffer.alloc(0)]) {
      expect(withoutLargeChunks(given).equals(given)).toBe(true);
    }
  });
});

test("reference images with a PNG chunk of 9 MB are decoded for video and for music", async () => {
  const bytes = png(HEAD, chunk("PRVT", 9 << 20), PIXEL, END);
  const { width, height } = await decodePicture({ bytes, mediaType: "image/png" });
  expect([width, height]).toEqual([1, 1]);
  expect((await tintOf([{ bytes, mediaType: "image/png" }]))?.brightness).toBeGreaterThan(0.5);
});
