import { holdsOnlySound, isoBrands } from "./iso-boxes.ts";

/** Every media type that we accept or deliver. Anything else (SVG, HTML, unknown types) is refused. */
export const MEDIA_TYPES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
  "audio/mpeg",
  "audio/wav",
  "audio/ogg",
  "audio/flac",
  "audio/mp4",
  "video/mp4",
  "video/webm",
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
export type MediaKind = "image" | "audio" | "video";

/** The type by the first bytes. File names and declared content types are never used. */
export function sniffMediaType(bytes: Uint8Array): MediaType | null {
  return imageType(bytes) ?? soundType(bytes) ?? videoType(bytes);
}

export function mediaKindOf(mediaType: MediaType): MediaKind {
  return mediaType.slice(0, mediaType.indexOf("/")) as MediaKind;
}

function imageType(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n") && startsWith(bytes, "IHDR", 12)) return "image/png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "image/gif";
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBPVP8", 8)) return "image/webp";
  return null;
}

function soundType(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WAVE", 8)) return "audio/wav";
  if (startsWith(bytes, "fLaC")) return "audio/flac";
  if (startsWith(bytes, "OggS")) return isOggSound(bytes) ? "audio/ogg" : null;
  if (startsWith(bytes, "ID3") || isMp3Frame(bytes)) return "audio/mpeg";
  return null;
}

const MP4_BRANDS: ReadonlySet<string> = new Set([
  ...["isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9"],
  ...["mp41", "mp42", "avc1", "dash", "M4V ", "M4VP", "mmp4", "MSNV"],
]);

function videoType(bytes: Uint8Array): MediaType | null {
  if (startsWith(bytes, "\x1a\x45\xdf\xa3")) return isWebm(bytes) ? "video/webm" : null;
  const brands = isoBrands(bytes);
  if (brands === null) return null;
  if (brands.all.includes("avif") || brands.all.includes("avis")) return "image/avif";
  if (brands.major === "M4A " || brands.major === "M4B ") return "audio/mp4";
  if (!MP4_BRANDS.has(brands.major)) return null;
  return holdsOnlySound(bytes) ? "audio/mp4" : "video/mp4";
}

/** MP3 without tags begins with a frame header: layer III, with a valid bit rate and sample rate. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const hasSync = first === 0xff && (second & 0xe0) === 0xe0;
  const hasVersion = (second & 0x18) !== 0x08;
  const isLayerThree = (second & 0x06) === 0x02;
  const bitRate = third >> 4;
  return hasSync && hasVersion && isLayerThree && bitRate > 0 && bitRate < 15 && (third & 0x0c) !== 0x0c;
}

/** Ogg carries video as well: the first packet, after the page's segment table, says what this one is. */
function isOggSound(bytes: Uint8Array): boolean {
  const packet = 27 + (bytes[26] ?? 0);
  return ["OpusHead", "\x01vorbis", "\x7fFLAC", "Speex   "].some((mark) => startsWith(bytes, mark, packet));
}

/** The EBML header is short and names the document type: `B` `82`, a length, `webm`. */
const WEBM_HEADER_BYTES = 64;
const DOC_TYPE_WEBM = "\x42\x82\x84webm";

function isWebm(bytes: Uint8Array): boolean {
  for (let at = 4; at < WEBM_HEADER_BYTES; at++) if (startsWith(bytes, DOC_TYPE_WEBM, at)) return true;
  return false;
}

/** `mark` has one character per byte. */
function startsWith(bytes: Uint8Array, mark: string, at = 0): boolean {
  if (bytes.length < at + mark.length) return false;
  for (let index = 0; index < mark.length; index++) {
    if (bytes[at + index] !== mark.charCodeAt(index)) return false;
  }
  return true;
}
