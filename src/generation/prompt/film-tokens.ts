import {
  isoBrands,
  isoTopBoxes,
  mediaDurationMs,
  mediaKindOf,
  readDataUrl,
  sniffMediaType,
} from "../../kit/index.ts";
import type { ContentPart, FilePart } from "../../providers/index.ts";

/** Google's figure: a picture of each second, its sound and its time. Who counts more has a bound per file above it. */
const TOKENS_PER_SECOND = 300;
/** Enough for the first bytes of every kind of film. */
const HEAD_CHARACTERS = 512;
/** Whatever type it is given under: there is nothing else there. */
const FILM_PAGE = /^https?:\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be)\//i;

/**
 * What a film counts as at most: by its length where its bytes tell that, else as much as the model's server takes. 0 for
 * what is none. `isNamed`: one of its names says that it is a film.
 */
export function mostFilmTokens(
  part: ContentPart,
  { isNamed, windowTokens }: { readonly isNamed: boolean; readonly windowTokens: number },
): number {
  if (part.type === "other") return /video/i.test(part.name) ? windowTokens : 0;
  if (part.type !== "file") return 0;
  const written = part.data.trimStart();
  if (/^https?:/i.test(written)) return isNamed || FILM_PAGE.test(written) ? windowTokens : 0;
  if (!isNamed && !hasFilmBytes(part)) return 0;
  const milliseconds = lengthMs(bytesOf(part));
  if (milliseconds === null) return windowTokens;
  return Math.min(Math.ceil(milliseconds / 1_000) * TOKENS_PER_SECOND, windowTokens);
}

function hasFilmBytes(file: FilePart): boolean {
  const mediaType = sniffMediaType(bytesOf(file, HEAD_CHARACTERS));
  return mediaType !== null && mediaKindOf(mediaType) === "video";
}

/** Of the file itself; one that is no trick has a few. */
const MAX_BOXES = 4_096;

/** Of one that begins as an MP4 or a QuickTime film: nobody takes it for anything else. Fragments are not added up. */
function lengthMs(bytes: Uint8Array): number | null {
  if (isoBrands(bytes) === null) return null;
  const boxes = isoTopBoxes(bytes, { boxes: MAX_BOXES });
  if (boxes === null || boxes.some(({ type }) => type === "moof")) return null;
  return mediaDurationMs(bytes, "video/mp4") ?? null;
}

/** Nothing where they are not in base64. */
function bytesOf({ data }: FilePart, characters?: number): Uint8Array {
  const written = data.trimStart();
  const inline = readDataUrl(written);
  if (inline?.isBase64 === false) return new Uint8Array();
  const start = inline?.start ?? 0;
  return Buffer.from(
    written.slice(start, characters === undefined ? undefined : start + characters),
    "base64",
  );
}
