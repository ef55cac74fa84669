import { describe, expect, test } from "bun:test";
import { usableVideo } from "../../../test/scripted-video.ts";
import { MP3, PNG } from "../../../test/upstream/media-samples.ts";
import { sniffMediaType } from "./media-type.ts";
import { isUsableMedia } from "./usable-media.ts";
import { writeWav } from "./wav.ts";

const element = (id: string, ...inside: Uint8Array[]): Buffer => {
  const body = Buffer.concat(inside);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + body.length);
  return Buffer.concat([Buffer.from(id, "hex"), size, body]);
};
const text = (written: string) => Buffer.from(written, "latin1");
const WEBM_HEAD = element("1a45dfa3", Buffer.from("428284", "hex"), text("webm"));
const BLOCK = element("a3", text("\x81\0\0\x80frame"));
const CLUSTER = element(
  "1f43b675",
  element("e7", text("\0")),
  BLOCK,
  element("a0", element("a1", text("\x81\0\0\0frame"))),
);
const oggPage = (samples: number, packet: string) => {
  const head = text(`OggS${"\0".repeat(22)}\x01${String.fromCharCode(packet.length)}`);
  head.writeUInt32LE(samples, 6);
  return Buffer.concat([head, text(packet)]);
};
const STREAMINFO = Buffer.alloc(34);
STREAMINFO.writeUInt32BE(0x0ac442f0, 10);

/** A whole file of each type, and how many bytes of it the header has. */
const FILES: Readonly<Record<string, readonly [file: Uint8Array, headerBytes: number]>> = {
  png: [PNG, 70],
  jpeg: [await new Bun.Image(PNG).resize(64, 64).jpeg().bytes(), 200],
  webp: [await new Bun.Image(PNG).resize(64, 64).webp().bytes(), 30],
  gif: [Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64"), 19],
  mp3: [Buffer.concat([text("ID3\x04\0\0\0\0\0\x04tags"), MP3, MP3, MP3, MP3, MP3]), 18],
  wav: [writeWav({ sampleRate: 8_000, channels: 1 }, [Buffer.alloc(200)]), 36],
  ogg: [Buffer.concat([oggPage(0, `OpusHead${"\x01".repeat(32)}`), oggPage(9_600, "sound")]), 68],
  flac: [Buffer.concat([text("fLaC\x80\0\0\x22"), STREAMINFO, text("\xff\xf8sound")]), 42],
  mp4: [usableVideo(), 40],
  webm: [Buffer.concat([WEBM_HEAD, element("18538067", CLUSTER)]), WEBM_HEAD.length],
};

const isUsable = (bytes: Uint8Array) => isUsableMedia({ bytes, mediaType: sniffMediaType(bytes) ?? "" });

describe("a file is usable", () => {
  test.each(Object.entries(FILES))(
    "if it is whole, and not if garbage or nothing follows its header: %s",
    async (_, [file, head]) => {
      expect(await isUsable(file)).toBe(true);
      const start = file.subarray(0, head);
      for (const rest of [Buffer.alloc(file.length, "garbage"), Buffer.alloc(0)]) {
        expect(await isUsable(Buffer.concat([start, rest]))).toBe(false);
      }
    },
  );

  test("only if its first picture is made of the units that its header announces", async () => {
    expect(await isUsable(usableVideo(text("\0\0\0\x01\x65\0\0\0\x02\x41a")))).toBe(true);
    for (const picture of ["garbage, garbage", "\0\0\0\x09\x65abcd", "\0\0\0\x05\xe5abcd", ""])
      expect(await isUsable(usableVideo(text(picture)))).toBe(false);
  });

  test("if it is a WebP that moves, whatever follows its header", async () => {
    const webp = (flags: string) =>
      text(`RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0${flags}\0\0\0\x0f\0\0\x0f\0\0ANIM\0\0\0\0`);
    expect([await isUsable(webp("\x02")), await isUsable(webp("\0"))]).toEqual([true, false]);
  });

  test("if more than two images are decoded at once", async () => {
    expect(await Promise.all(Array.from({ length: 9 }, () => isUsable(PNG)))).toEqual(Array(9).fill(true));
  });
});
