import type { GivenFile } from "../../contract/index.ts";
import { invalid, isDataUrl, readDataUrl } from "../../kit/index.ts";
import {
  hasTooManyPixels,
  imageSize,
  MAX_PIXELS,
  type MediaKind,
  type MediaType,
  mediaDurationMs,
  mediaKindOf,
  sniffMediaType,
} from "../../media/index.ts";
import type { LongText } from "../body/long-text.ts";

/** Per file, decoded. */
export const MAX_REFERENCE_BYTES = 25 * 1024 * 1024;
/** Longer media is not a reference, and a provider would have to read all of it first. */
const MAX_REFERENCE_SECONDS = 600;

/** Enough base64 to recognise every file type; a multiple of four. */
const MARK_CHARACTERS = 512;

/**
 * Decodes reference media, sent as base64 or as a data URI. The size follows from the length and the type from the
 * first bytes, so anything too large or of another kind is refused before it is decoded. The type that the caller
 * declares is ignored.
 */
export function decodeReference(field: string, given: LongText, kind: MediaKind): GivenFile {
  const text = withoutLineBreaks(given);
  const start = base64Start(field, text);
  if (decodedBytes(text, start, text.length) > MAX_REFERENCE_BYTES) {
    throw invalid(field, `must be at most ${MAX_REFERENCE_BYTES} bytes when decoded`);
  }
  const head = decodeBase64(field, text, { start, end: Math.min(text.length, start + MARK_CHARACTERS) });
  // Some types can be told apart only by the whole file; by their first bytes these look like video.
  if (sniffMediaType(head) === null) throw notOfKind(field, kind);
  const bytes = decodeBase64(field, text, { start, end: text.length });
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null || mediaKindOf(mediaType) !== kind) throw notOfKind(field, kind);
  checkExtent(field, bytes, mediaType);
  return { bytes, mediaType };
}

/** Many encoders write base64 in lines (RFC 2045). A line break that is not escaped in the body is a JSON error. */
function withoutLineBreaks(text: LongText | string): LongText {
  if (typeof text !== "string") return text.withoutLineBreaks?.() ?? text;
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, "") : text;
}

const ACCEPTS: Readonly<Record<MediaKind, string>> = {
  image: "must be a PNG, JPEG, WebP, GIF or AVIF image in base64 or as a data URI",
  video: "must be an MP4 or WebM video in base64 or as a data URI",
  audio: "must be an MP3, WAV, Ogg, FLAC or M4A sound in base64 or as a data URI",
};

function notOfKind(field: string, kind: MediaKind) {
  return invalid(field, ACCEPTS[kind]);
}

const NOT_BASE64 =
  "must be valid base64 or a data URI: the file itself, since names of files and addresses are not opened";

/** The offset after the header of a data URI, else 0. */
function base64Start(field: string, text: LongText): number {
  if (!isDataUrl(text)) return 0;
  const read = readDataUrl(text);
  if (!read?.isBase64) throw invalid(field, "must be base64 or a data URI with ;base64");
  return read.start;
}

/** Computed from the length alone, without the padding. */
function decodedBytes(text: LongText, start: number, end: number): number {
  const tail = text.slice(Math.max(start, end - 2), end);
  const padding = tail.endsWith("==") ? 2 : tail.endsWith("=") ? 1 : 0;
  return Math.floor(((end - start - padding) * 3) / 4);
}

/** Decoded in pieces, so that the whole text is never in memory beside its bytes. A multiple of four. */
const PIECE_CHARACTERS = 1 << 18;

function decodeBase64(
  field: string,
  text: LongText,
  { start, end }: { readonly start: number; readonly end: number },
): Uint8Array {
  const bytes = Buffer.alloc(decodedBytes(text, start, end));
  let written = 0;
  for (let at = start; at < end; at += PIECE_CHARACTERS) {
    const piece = text.slice(at, Math.min(at + PIECE_CHARACTERS, end));
    const isLast = at + PIECE_CHARACTERS >= end;
    const wanted = isLast ? bytes.length - written : (PIECE_CHARACTERS / 4) * 3;
    // The decoder skips characters that are not base64, and then writes too few bytes.
    const found = wanted > 0 ? bytes.write(piece, written, "base64") : 0;
    if (found !== wanted || (isLast && piece.length % 4 === 1)) throw invalid(field, NOT_BASE64);
    written += found;
  }
  return bytes;
}

function checkExtent(field: string, bytes: Uint8Array, mediaType: MediaType): void {
  if (mediaKindOf(mediaType) === "image") {
    const size = imageSize(bytes);
    if (size === null) throw invalid(field, "must be a whole image: its header has no size");
    if (hasTooManyPixels(size)) throw invalid(field, `must have at most ${MAX_PIXELS} pixels`);
    return;
  }
  const durationMs = mediaDurationMs(bytes, mediaType);
  if (durationMs === null) throw invalid(field, "must be a whole file: its header has no length");
  if (durationMs !== undefined && durationMs > MAX_REFERENCE_SECONDS * 1000) {
    throw invalid(field, `must last at most ${MAX_REFERENCE_SECONDS} seconds`);
  }
}
