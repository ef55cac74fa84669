import { describe, expect, test } from "bun:test";
import { tinyVideo } from "../../../../test/scripted-video.ts";
import { AppError } from "../../kit/index.ts";
import { liftFields } from "../body/lifted-fields.ts";
import type { LongText } from "../body/long-text.ts";
import { decodeReference, MAX_REFERENCE_BYTES } from "./reference-media.ts";

function refusal(text: LongText, kind: "image" | "video" | "audio" = "image"): string {
  try {
    decodeReference("reference", text, kind);
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function isoBox(type: string, ...inner: Uint8Array[]): Buffer {
  const body = Buffer.concat(inner);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

/** `mvhd` and `mdhd` of version 0, with a thousand units per second. */
function isoLength(units: number): Buffer {
  const body = Buffer.alloc(20);
  body.writeUInt32BE(1000, 12);
  body.writeUInt32BE(units, 16);
  return body;
}

function video(mainMs: number, trackMs = mainMs): Buffer {
  const track = isoBox("trak", isoBox("mdia", isoBox("mdhd", isoLength(trackMs))));
  return Buffer.concat([tinyVideo(), isoBox("moov", isoBox("mvhd", isoLength(mainMs)), track)]);
}

function wav(bytesPerSecond: number, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt32LE(bytesPerSecond, 28);
  return bytes;
}

function noise(count: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: count }, (_, at) => (at * at * 31) >> 3));
}

const hexEscape = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;

/** The field that is cut out of a body with this text between its quotes. */
function liftedFrom(written: string): LongText {
  const { lifted } = liftFields(Buffer.from(`{"reference":"${written}"}`), ["reference"]);
  const [text] = lifted.values();
  if (text === undefined) throw new Error("it was not cut out");
  return text;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** A screen of 64 pixels, and a frame of 20,000. */
const GIF_BOMB = Buffer.from("47494638396140004000800000000000ffffff2c00000000204e204e0002024401003b", "hex");

describe("accepts", () => {
  test("base64 and data URIs, with the type of the bytes and not the declared type", () => {
    const text = base64(png(8, 8));
    for (const written of [text, `data:image/png;base64,${text}`, `DATA:text/html;x=1;base64,${text}`]) {
      expect(decodeReference("reference", written, "image")).toEqual({
        bytes: new Uint8Array(png(8, 8)),
        mediaType: "image/png",
      });
    }
  });

  test.each([
    ["one line break at the end", (text: string) => `${text}\n`],
    ["lines of 76 characters, as in email", (text: string) => text.replace(/.{76}/g, "$&\r\n")],
    ["lines in a data URI", (text: string) => `data:image/png;base64,${text.replace(/.{64}/g, "$&\n")}`],
  ])("base64 with line breaks: %s", (_, wrapped) => {
    const bytes = Buffer.concat([png(8, 8), Buffer.alloc(300, 7)]);
    expect(decodeReference("reference", wrapped(base64(bytes)), "image").bytes).toEqual(bytes);
  });

  test.each([
    ["slashes, as PHP does", (text: string) => text.replaceAll("/", "\\/")],
    ["line breaks", (text: string) => text.replace(/.{76}/g, "$&\\r\\n")],
    [
      "all characters other than letters and digits",
      (text: string) => text.replace(/[+/=]/g, hexEscape).concat("\\n"),
    ],
  ])("base64 that is escaped in the body: %s", (_, written) => {
    const bytes = Buffer.concat([png(8, 8), noise(600_000)]);
    const text = liftedFrom(`data:image/png;base64,${written(base64(bytes))}`);
    expect(decodeReference("reference", text, "image").bytes).toEqual(bytes);
  });

  test("line breaks that do not count towards the size limit", () => {
    const bytes = Buffer.concat([png(8, 8), Buffer.alloc(MAX_REFERENCE_BYTES - 64)]);
    const text = base64(bytes).replace(/.{76}/g, "$&\r\n");
    expect(decodeReference("reference", text, "image").bytes.length).toBe(MAX_REFERENCE_BYTES);
  });

  test("video and audio of at most ten minutes", () => {
    expect(decodeReference("reference", base64(video(599_000)), "video").mediaType).toBe("video/mp4");
    expect(decodeReference("reference", base64(wav(16_000, 4_000)), "audio").mediaType).toBe("audio/wav");
  });
});

describe("refuses", () => {
  test("line breaks that are not escaped in the body", () => {
    const lines = base64(Buffer.concat([png(8, 8), noise(60_000)])).replace(/.{76}/g, "$&\n");
    for (const written of [lines, `${lines}\\n`, `\\n${lines}`])
      expect(refusal(liftedFrom(written))).toContain("must be valid base64");
  });

  test("a text that is too long, before it is decoded as base64", () => {
    const text = "!".repeat(Math.ceil((MAX_REFERENCE_BYTES + 1) / 3) * 4);
    expect(refusal(text)).toBe(`reference: must be at most ${MAX_REFERENCE_BYTES} bytes when decoded`);
  });

  test("a file that is one byte above the limit", () => {
    const bytes = Buffer.concat([png(8, 8), Buffer.alloc(MAX_REFERENCE_BYTES - 64)]);
    expect(decodeReference("reference", base64(bytes), "image").bytes.length).toBe(MAX_REFERENCE_BYTES);
    expect(refusal(base64(Buffer.concat([bytes, Buffer.alloc(1)])))).toContain("at most");
  });

  const text = base64(png(8, 8));
  test.each([
    ["an empty text", "", "must be a PNG"],
    ["a text that is not base64", "not base64!", "must be valid base64"],
    ["an invalid character after valid base64", `${text}*`, "must be valid base64"],
    ["padding in the middle", `${text}==${text}`, "must be valid base64"],
    [
      "base64 in its URL variant",
      base64(png(8, 8)).replaceAll("/", "_").replaceAll("+", "-").concat("_-_-"),
      "must be",
    ],
    ["a data URI without base64", "data:image/png,abc", "must be base64 or a data URI with ;base64"],
    [
      "a data URI whose header does not end",
      `data:image/png;${"x".repeat(300)}`,
      "must be base64 or a data URI",
    ],
    ["a URL", "https://example.com/cat.png", "names of files and addresses are not opened"],
    ["SVG", base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), "must be a PNG"],
    ["HTML", base64(Buffer.from("<html><script>alert(1)</script>")), "must be a PNG"],
    ["a video as an image", base64(video(1_000)), "must be a PNG"],
    ["an image without a width", base64(png(0, 8)), "must be a whole image"],
    ["an image with too many pixels", base64(png(50_000, 50_000)), "must have at most 50000000 pixels"],
    [
      "a GIF with a frame of too many pixels on a small screen",
      base64(GIF_BOMB),
      "must have at most 50000000 pixels",
    ],
  ])("%s", (_, written, says) => {
    expect(refusal(written)).toContain(says);
  });

  test.each([
    ["a video that is too long", video(601_000)],
    ["a video with a track that is too long", video(1_000, 86_400_000)],
  ])("%s", (_, bytes) => {
    expect(refusal(base64(bytes), "video")).toContain("must last at most 600 seconds");
  });

  test("a video without its header, or with a wrong box size", () => {
    expect(refusal(base64(tinyVideo()), "video")).toContain("must be a whole file");
    const lying = video(1_000);
    lying.writeUInt32BE(0xffffff, tinyVideo().length);
    expect(refusal(base64(lying), "video")).toContain("must be a whole file");
  });

  test("audio that lasts too long, or whose duration is undefined", () => {
    expect(refusal(base64(wav(1, 4_000)), "audio")).toContain("must last at most 600 seconds");
    expect(refusal(base64(wav(0, 4_000)), "audio")).toContain("must be a whole file");
  });
});
