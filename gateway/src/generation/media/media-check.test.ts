import { describe, expect, test } from "bun:test";
import { type MadeFile, ProviderFailure } from "../../contract/index.ts";
import { checkMade, MAX_FILE_BYTES, MAX_MADE_BYTES } from "./media-check.ts";

/** Only the header of an image is examined. */
function png(width: number, height: number, sizeBytes = 64): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  bytes.set(Uint8Array.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", (char) => char.charCodeAt(0)));
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
}

const MP3 = Uint8Array.from([0xff, 0xfb, 0x90, 0x64, 0, 0]);

function made(bytes: Uint8Array, changes: Partial<MadeFile> = {}): MadeFile {
  return { bytes, mediaType: "image/png", width: null, height: null, durationMs: null, ...changes };
}

const text = (words: string) => new TextEncoder().encode(words);

test("type and size are read from the bytes, whatever the provider says", () => {
  const file = made(png(640, 480), { mediaType: "text/html", width: 1, height: 1, durationMs: 5 });
  expect(checkMade([file], { kind: "image", most: 1 })).toEqual([
    { bytes: file.bytes, mediaType: "image/png", width: 640, height: 480, durationMs: null },
  ]);
});

test("files beyond the requested number are dropped, and fewer are accepted", () => {
  const files = [made(png(1, 1)), made(png(2, 2)), made(png(3, 3))];
  expect(checkMade(files, { kind: "image", most: 2 }).map(({ width }) => width)).toEqual([1, 2]);
  expect(checkMade(files, { kind: "image", most: 9 })).toHaveLength(3);
});

test.each([
  ["of text", made(text("oops"))],
  ["of 60 megapixels", made(png(60_000, 1_000))],
  ["without a size", made(png(0, 10))],
  ["of too many bytes", made(png(1, 1, MAX_FILE_BYTES + 1))],
])("one file %s among several is dropped, and the others are kept", (_name, bad) => {
  const files = [made(png(1, 1)), bad, made(png(3, 3))];
  expect(checkMade(files, { kind: "image", most: 3 }).map(({ width }) => width)).toEqual([1, 3]);
});

test("files beyond the total size limit are dropped, and those before are kept", () => {
  const most = MAX_MADE_BYTES / MAX_FILE_BYTES;
  const files = Array(most + 1).fill(made(png(1, 1, MAX_FILE_BYTES)));
  expect(checkMade(files, { kind: "image", most: 10 })).toHaveLength(most);
});

test("an impossible duration of audio is stored as null", () => {
  const lengths = [1_234.6, 0, -5, Number.NaN, Number.POSITIVE_INFINITY, null];
  const kept = lengths.map(
    (durationMs) => checkMade([made(MP3, { durationMs })], { kind: "audio", most: 1 })[0],
  );
  expect(kept.map((file) => file?.durationMs)).toEqual([1_235, null, null, null, null, null]);
});

describe("a provider fails if it makes", () => {
  const cases: readonly [string, "image" | "audio", readonly MadeFile[]][] = [
    ["nothing", "image", []],
    ["HTML", "image", [made(text("<!doctype html><title>Busy</title>"))]],
    [
      "SVG",
      "image",
      [made(text('<svg xmlns="http://www.w3.org/2000/svg"/>'), { mediaType: "image/svg+xml" })],
    ],
    ["an empty file", "image", [made(new Uint8Array(0))]],
    ["audio instead of an image", "image", [made(MP3)]],
    ["an image instead of audio", "audio", [made(png(1, 1))]],
    ["an image without a size", "image", [made(png(0, 10))]],
    ["an image of 60 megapixels", "image", [made(png(60_000, 1_000))]],
    ["a file of too many bytes", "image", [made(png(1, 1, MAX_FILE_BYTES + 1))]],
    ["only unusable files", "image", [made(text("oops")), made(png(60_000, 1_000))]],
  ];
  for (const [name, kind, files] of cases) {
    test(name, () => {
      const check = () => checkMade(files, { kind, most: 10 });
      expect(check).toThrow(ProviderFailure);
      expect(check).toThrow("unavailable: The model's provider made no file that can be used.");
    });
  }
});
