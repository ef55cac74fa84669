import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { ProviderFailure } from "../../contract/index.ts";
import { type MediaKind, mediaKindOf, sniffMediaType } from "../../media/index.ts";
import { madeFile } from "./made-file.ts";
import { box, silentMp3, silentWav, tinyMp4, tinyPng } from "./media-testing.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const zeros = (count: number) => "\0".repeat(count);
const FRAME_MS = (1_152 / 44_100) * 1_000;
const ID3 = latin1(`ID3\x04\0\0\0\0\0\x14${zeros(20)}`);
const ID3_V1 = latin1(`TAG${zeros(125)}`);

const FTYP = box("ftyp", latin1(`isom${zeros(4)}isommp41`));
const JPEG_HEAD = latin1(`\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x10\0\x20\x03\x01\x22${zeros(7)}`);
const JPEG = Buffer.concat([JPEG_HEAD, latin1("\xff\xda\0\x08\x01\x01\0\0\x3f\0pixels\xff\xd9")]);
const GIF_HEAD = latin1(`GIF89a\x10\0\x10\0\x80\0\0${zeros(6)}\x21\xf9\x04\0\0\0\0\0`);
const GIF = Buffer.concat([GIF_HEAD, latin1(`\x2c${zeros(4)}\x10\0\x10\0\0\x02\x02\x4c\x01\0\x3b`)]);
const WEBP_HEAD = latin1(`RIFF\x30\0\0\0WEBPVP8X\x0a\0\0\0${zeros(4)}\x0f\0\0\x0f\0\0`);
const WEBP = Buffer.concat([WEBP_HEAD, latin1("ICCP\x01\0\0\0a\0VP8L\x05\0\0\0\x2fabcd\0")]);
const AVIF_HEAD = Buffer.concat([
  box("ftyp", latin1(`avif${zeros(4)}avif`)),
  box(
    "meta",
    Buffer.concat([
      Buffer.alloc(4),
      box("iprp", box("ipco", box("ispe", latin1(`${zeros(7)}\x40\0\0\0\x40`)))),
    ]),
  ),
]);
const AVIF = Buffer.concat([AVIF_HEAD, box("mdat", latin1("pixels"))]);
/** 48,000 samples per second, and the number of samples. */
const flacHead = (samples: number) => {
  const head = latin1(`fLaC\x80\0\0\x22${zeros(34)}`);
  head.writeUInt32BE(48_000 << 12, 18);
  head.writeUInt32BE(samples, 22);
  return head;
};
const flac = (samples: number) => Buffer.concat([flacHead(samples), latin1("\xff\xf8sound")]);
const WEBM_HEAD = latin1("\x1a\x45\xdf\xa3\x87\x42\x82\x84webm");
const webm = (size: string) =>
  Buffer.concat([WEBM_HEAD, latin1(`\x18\x53\x80\x67${size}\xec\x81\0\x1f\x43\xb6\x75\x84video`)]);

function oggPage(samples: bigint, packet: string, stream = 7): Buffer {
  const head = latin1(`OggS\0\0${zeros(20)}\x01${String.fromCharCode(packet.length)}`);
  head.writeBigInt64LE(samples, 6);
  head.writeUInt32LE(stream, 14);
  return Buffer.concat([head, latin1(packet)]);
}
const OPUS_HEAD = oggPage(0n, `OpusHead\x01\x01\x38\x01${zeros(30)}`);
const VORBIS_HEAD = oggPage(0n, `\x01vorbis${zeros(5)}\x44\xac${zeros(20)}`);
const TAGS = oggPage(0n, "OpusTags");

function kindOf(bytes: Uint8Array): MediaKind {
  const mediaType = sniffMediaType(bytes);
  return mediaType === null ? "image" : mediaKindOf(mediaType);
}

describe("madeFile throws a ProviderFailure for a file without content", () => {
  test.each([
    ["only the first box of a video", FTYP],
    ["a WAV without samples", silentWav(0)],
    ["only the first bytes of a WAV", latin1("RIFF\x24\0\0\0WAVE")],
  ])("%s", (_name, bytes) => {
    expect(sniffMediaType(bytes)).not.toBeNull();
    expect(() => madeFile(bytes, kindOf(bytes))).toThrow(ProviderFailure);
  });
});

describe("madeFile accepts a truncated file and gives it no duration", () => {
  test.each([
    ["half a video", Buffer.concat([tinyMp4(), box("mdat", Buffer.alloc(64)).subarray(0, 40)])],
    ["half a WebM", webm("\x8b").subarray(0, -2)],
    ["less than one MP3 frame", silentMp3(1).subarray(0, 400)],
    ["only the first page of an Ogg file", OPUS_HEAD],
    ["a PNG without its end", tinyPng().subarray(0, -12)],
    ["a JPEG without its end", JPEG.subarray(0, -2)],
    ["half a GIF", GIF.subarray(0, -4)],
    ["half a WebP", WEBP.subarray(0, -3)],
    ["half an AVIF", AVIF.subarray(0, -2)],
  ])("%s", (_name, bytes) => {
    expect(madeFile(bytes, kindOf(bytes))).toMatchObject({ bytes, durationMs: null });
  });
});

describe("the duration of", () => {
  const joined = Buffer.concat([ID3, silentMp3(100), ID3_V1, ID3, silentMp3(100), ID3_V1]);
  test.each([
    ["MP3 files joined with their tags is their sum", joined, Math.round(200 * FRAME_MS)],
    [
      "an MP3 with a truncated frame leaves that frame out",
      Buffer.concat([silentMp3(10).subarray(0, -9), silentMp3(10)]),
      Math.round(19 * FRAME_MS),
    ],
    ["FLAC is read from its header", flac(96_000), 2_000],
    ["FLAC without a sample count is unknown", flac(0), null],
    ["FLAC truncated after its header is read from the header", flacHead(96_000), 2_000],
    ["FLAC truncated within its header is unknown", flacHead(96_000).subarray(0, 25), null],
    ["Opus is read from its last page", Buffer.concat([OPUS_HEAD, TAGS, oggPage(96_312n, "sound")]), 2_000],
    [
      "Opus with a truncated last page is read from the page before",
      Buffer.concat([OPUS_HEAD, oggPage(48_312n, "sound"), oggPage(96_312n, "sound").subarray(0, -1)]),
      1_000,
    ],
    ["Vorbis is read from its last page", Buffer.concat([VORBIS_HEAD, oggPage(88_200n, "sound")]), 2_000],
    [
      "Ogg with two streams is unknown",
      Buffer.concat([OPUS_HEAD, oggPage(96_312n, "sound"), oggPage(48_312n, "sound", 8)]),
      null,
    ],
    [
      "Ogg whose last page completes no packet is unknown",
      Buffer.concat([OPUS_HEAD, oggPage(-1n, "sound")]),
      null,
    ],
    [
      "M4A is read from its header",
      Buffer.concat([
        box("ftyp", latin1(`M4A ${zeros(4)}M4A `)),
        tinyMp4({ durationMs: 5_000 }).subarray(FTYP.length),
      ]),
      5_000,
    ],
  ])("%s", (_name, bytes, durationMs) => {
    expect(madeFile(bytes, "audio").durationMs).toBe(durationMs);
  });
});

test("8 MB of noise in an MP3 is read in less than a second", () => {
  const noise = Buffer.alloc(8 << 20, "I");
  const readBoth = () => {
    expect(madeFile(Buffer.concat([ID3, silentMp3(10), noise, silentMp3(10)]), "audio").durationMs).toBe(261);
    expect(madeFile(Buffer.concat([ID3, noise]), "audio").durationMs).toBeNull();
  };
  expect(fastestMs(readBoth, 3, 1_000)).toBeLessThan(1_000);
});

test("changed or missing bytes give a file with a valid duration or none, or a ProviderFailure", () => {
  const files = [
    tinyPng(),
    JPEG,
    GIF,
    WEBP,
    AVIF,
    webm("\x8c"),
    flac(96_000),
    silentWav(5),
    silentMp3(4),
    tinyMp4(),
  ];
  const sounds = [
    Buffer.concat([OPUS_HEAD, oggPage(96_312n, "sound")]),
    Buffer.concat([ID3, silentMp3(2), ID3]),
  ];
  const changes = fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 0, max: 255 })), { maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...files, ...sounds), changes, fc.nat(2_000), (file, changed, cut) => {
      const bytes = Buffer.from(file).subarray(0, Math.max(1, file.length - (cut % file.length)));
      for (const [at, value] of changed) bytes[at % bytes.length] = value;
      try {
        const { durationMs } = madeFile(bytes, kindOf(bytes));
        expect(durationMs === null || (Number.isFinite(durationMs) && durationMs > 0)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderFailure);
      }
    }),
    { numRuns: 5_000 },
  );
});
