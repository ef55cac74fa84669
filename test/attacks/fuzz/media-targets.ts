import assert from "node:assert/strict";
import { ProviderFailure } from "../../../gateway/src/contract/index.ts";
import { liftFields, longTextOf } from "../../../gateway/src/http/body/lifted-fields.ts";
import { decodeReference } from "../../../gateway/src/http/native/reference-media.ts";
import { AppError } from "../../../gateway/src/kit/index.ts";
import {
  imageSize,
  isoBoxesAt,
  MEDIA_TYPES,
  mediaDurationMs,
  mediaKindOf,
  sniffMediaType,
} from "../../../gateway/src/media/index.ts";
import { isoBox, isoPictureTrack, isoWords } from "../../../gateway/src/media/iso-testing.ts";
import { madeFile } from "../../../gateway/src/providers/media/made-file.ts";
import { wholeVideo } from "../../scripted-video.ts";
import { HTML, MP3, PNG, SVG } from "../../upstream/media-samples.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import type { ParserTarget } from "./parser-target.ts";

const latin1 = (written: string) => Buffer.from(written, "latin1");
const GIF = latin1("GIF89a\x10\0\x10\0\x80\0\0");
const JPEG = latin1("\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x10\0\x20\x03\x01\x22\0\xff\xd9");
const WEBP = latin1(`RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x0f\0\0${"\0".repeat(8)}`);
const WAV = latin1(
  `RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0data${"\0".repeat(8)}`,
);
const FLAC = latin1(`fLaC\0\0\0\x22${"\x10\0".repeat(17)}`);
const OGG = latin1(`OggS\0\x02${"\0".repeat(20)}\x01\x13OpusHead\x01\x02${"\0".repeat(10)}`);
const AVIF = latin1(
  "\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x34meta\0\0\0\0\0\0\0\x28iprp\0\0\0\x20ipco\0\0\0\x14ispe\0\0\0\0\0\0\0\x40\0\0\0\x40\0\0\0\x04",
);
const H264 = "0142c01fffe100196742c01fd900d83de6f0110000030001000003003c0f18324801000568cb83cb20";
/** With sample tables and an edit list. */
const VIDEO = Buffer.concat([
  isoBox("ftyp", latin1("isom\0\0\0\0isommp41")),
  isoBox(
    "moov",
    isoBox("mvhd", isoWords(0, 0, 0, 1_000, 2_500)),
    isoPictureTrack({
      said: { units: 2_500, width: 854, height: 480 },
      samples: [[10, 250]],
      width: 854,
      height: 480,
      more: isoBox("edts", isoBox("elst", isoWords(0, 1, 2_500, 0, 65_536))),
      ofSamples: isoBox("avcC", Buffer.from(H264, "hex")),
    }),
  ),
  isoBox("mdat", latin1("video")),
]);
const SAMPLES = [PNG, MP3, SVG, HTML, wholeVideo(), VIDEO, GIF, JPEG, WEBP, WAV, FLAC, OGG, AVIF].map(
  (each) => Buffer.from(each),
);

const headers: ParserTarget = {
  name: "media headers",
  seeds: SAMPLES,
  check(bytes) {
    const type = sniffMediaType(bytes);
    const size = imageSize(bytes);
    if (size !== null)
      assert.ok(
        (size.width > 0 && size.height > 0 && Number.isSafeInteger(size.width * size.height)) ||
          size.width * size.height > 5e7,
      );
    isoBoxesAt(bytes, ["moov", "trak", "mdia", "mdhd"]);
    for (const known of MEDIA_TYPES) {
      const durationMs = mediaDurationMs(bytes, known);
      assert.ok(durationMs === null || durationMs === undefined || durationMs >= 0);
    }
    if (type === null) return;
    assert.ok(MEDIA_TYPES.includes(type));
    // Nothing that a browser could run passes for media by its first byte (`<`).
    assert.ok(bytes[0] !== 0x3c);
  },
};

/** Files from providers are read beyond their header: whether they contain anything, and how long they last. */
const made: ParserTarget = {
  name: "made files",
  seeds: SAMPLES,
  check(bytes) {
    const type = sniffMediaType(bytes);
    try {
      const { mediaType, durationMs } = madeFile(bytes, type === null ? "image" : mediaKindOf(type));
      assert.equal(mediaType, type);
      assert.ok(durationMs === null || (Number.isFinite(durationMs) && durationMs > 0));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
    }
  },
};

const reference: ParserTarget = {
  name: "base64 and data URIs",
  seeds: SAMPLES.flatMap((each) => [
    Buffer.from(each.toString("base64")),
    Buffer.from(`data:${sniffMediaType(each) ?? "image/svg+xml"};base64,${each.toString("base64")}`),
  ]),
  check(bytes, random) {
    const kind = random.pick(["image", "video", "audio"] as const);
    try {
      const file = decodeReference("reference", Buffer.from(bytes).toString("latin1"), kind);
      assert.equal(file.mediaType, sniffMediaType(file.bytes));
      assert.equal(mediaKindOf(file.mediaType), kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      assert.equal(error.status, 400);
    }
  },
};

const LONG = "A".repeat(70_000);
const BODY = Buffer.from(
  `{"model":"m","reference_image":"${LONG}","prompt":"@0","reference_audio" : "${LONG}\\/\\n\\u002b"}`,
);

const lifted: ParserTarget = {
  name: "long fields",
  seeds: [BODY],
  make: (random) => {
    // Mutations at random places would nearly always hit the long values, which the parser skips.
    const short = Buffer.from(BODY.toString().replaceAll(LONG, "~"));
    return Buffer.from(mutateBytes(random, short).toString("latin1").replaceAll("~", LONG), "latin1");
  },
  check(bytes) {
    const { rest, lifted: values } = liftFields(bytes, ["reference_image", "reference_audio"]);
    assert.ok(rest.length <= bytes.length);
    for (const [mark, value] of values) {
      assert.equal(longTextOf(mark, values), value);
      assert.ok(!value.slice(0, value.length).includes('"'));
    }
  },
};

export const MEDIA_TARGETS: readonly ParserTarget[] = [headers, made, reference, lifted];
