import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCanvas } from "../../../sandbox/src/pictures/canvas-testing.ts";
import { MEDIA_TYPES, type MediaType, mediaKindOf, sniffMediaType } from "./media-type.ts";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function box(type: string, content: string): string {
  const size = 8 + content.length;
  return String.fromCharCode(0, 0, size >> 8, size & 255) + type + content;
}

function mp4(major: string, ...handlers: string[]): string {
  const tracks = handlers.map((handler) =>
    box("trak", box("mdia", box("hdlr", `\0\0\0\0\0\0\0\0${handler}`))),
  );
  return box("ftyp", `${major}\0\0\0\0isom`) + box("moov", box("mvhd", "") + tracks.join(""));
}

const ogg = (packet: string) => `OggS${"\0".repeat(22)}\x01\x1e${packet}${"\0".repeat(30)}`;

const SAMPLES: readonly [string, MediaType, string][] = [
  ["WAV", "audio/wav", "RIFF\x24\0\0\0WAVEfmt "],
  ["FLAC", "audio/flac", "fLaC\0\0\0\x22"],
  ["Ogg with Opus", "audio/ogg", ogg("OpusHead\x01")],
  ["Ogg with Vorbis", "audio/ogg", ogg("\x01vorbis\0")],
  ["MP3 with tags", "audio/mpeg", "ID3\x04\0\0"],
  ["MP3 without tags", "audio/mpeg", "\xff\xfb\x90\x64"],
  ["MP3 with a low sample rate", "audio/mpeg", "\xff\xf3\x44\xc4"],
  ["M4A", "audio/mp4", mp4("M4A ", "soun")],
  ["MP4 with sound only", "audio/mp4", mp4("isom", "soun")],
  ["MP4", "video/mp4", mp4("isom", "vide", "soun")],
  ["MP4 whose tracks come later", "video/mp4", box("ftyp", "mp42\0\0\0\0mp42")],
  ["WebM", "video/webm", "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"],
];

describe("the media type is detected from the bytes", () => {
  for (const format of ["png", "jpeg", "webp", "avif", "gif"] as const) {
    test(`a ${format} of a real encoder`, async () => {
      const canvas = createCanvas(3, 2);
      canvas.getContext("2d").fillRect(0, 0, 1, 1);
      // There is one overload per format, and TypeScript picks none for a union.
      const encode = canvas.encode.bind(canvas) as (format: string) => Promise<Uint8Array>;
      expect(sniffMediaType(await encode(format))).toBe(`image/${format}`);
    });
  }
  for (const [name, mediaType, sample] of SAMPLES) {
    test(name, () => expect(sniffMediaType(bytes(sample))).toBe(mediaType));
  }
});

describe("no media type is detected for", () => {
  const refused: readonly [string, string][] = [
    ["no bytes", ""],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["SVG behind a declaration", '<?xml version="1.0"?><svg/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["a PDF", "%PDF-1.7"],
    ["text", "hello"],
    ["a truncated PNG", "\x89PNG\r\n"],
    ["a PNG without a header", `\x89PNG\r\n\x1a\n${"\0".repeat(30)}`],
    ["another RIFF file", "RIFF\x24\0\0\0AVI LIST"],
    ["HEIC", box("ftyp", "heic\0\0\0\0mif1")],
    ["QuickTime", box("ftyp", "qt  \0\0\0\0qt  ")],
    ["an MP4 whose first box lies about its size", "\0\0\xff\xffftypisom\0\0\0\0isom"],
    ["Matroska", "\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska"],
    ["Ogg with video", ogg("\x80theora\0")],
    ["AAC without a container", "\xff\xf1\x50\x80"],
    ["MP3 with invalid rates", "\xff\xfb\xfc\x64"],
  ];
  for (const [name, sample] of refused) {
    test(name, () => expect(sniffMediaType(bytes(sample))).toBeNull());
  }
});

test("any bytes have a media type of the list or none", () => {
  const marks = SAMPLES.map(([, , sample]) => sample.slice(0, 16));
  const anything = fc
    .tuple(fc.constantFrom("", ...marks), fc.uint8Array({ maxLength: 200 }))
    .map(([mark, rest]) => Uint8Array.from([...bytes(mark), ...rest]));
  fc.assert(
    fc.property(anything, (given) => {
      const told = sniffMediaType(given);
      expect(told === null || MEDIA_TYPES.includes(told)).toBe(true);
    }),
  );
});

test("the kind of a media type is the part before the slash", () => {
  expect(MEDIA_TYPES.map(mediaKindOf)).toEqual([
    ...Array<"image">(5).fill("image"),
    ...Array<"audio">(5).fill("audio"),
    ...Array<"video">(2).fill("video"),
  ]);
});
