import type { ContentPart, FilePart } from "../../contract/index.ts";
import { readDataUrl } from "../../kit/index.ts";
import {
  type IsoBudget,
  isoBrands,
  isoDurationMs,
  isoTopBoxes,
  mediaKindOf,
  sniffMediaType,
} from "../../media/index.ts";

/**
 * Google's figure: one frame per second, its audio and its timestamp. Models that count more have a higher bound per
 * file.
 */
const TOKENS_PER_SECOND = 300;
/** Enough to recognize every video format. */
const HEAD_CHARACTERS = 512;
/** Hosts that serve nothing but videos, whatever media type is declared. */
const FILM_HOSTS = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be)\.?$/;
/** For all videos of a request together: a real one has a few hundred boxes, and each is visited several times. */
const MAX_BOXES = 32_768;

/** Bounds the tokens of the videos in one request. */
export class FilmReader {
  readonly #windowTokens: number;
  readonly #budget: IsoBudget = { boxes: MAX_BOXES };

  constructor(windowTokens: number) {
    this.#windowTokens = windowTokens;
  }

  /**
   * The most that a video may count as: by its length if its bytes contain it, else the model's whole window. 0 if
   * the part is no video. `isNamed`: its type or one of its names says that it is a video.
   */
  mostTokens(part: ContentPart, isNamed: boolean): number {
    if (part.type === "other") return /video/i.test(part.name) ? this.#windowTokens : 0;
    if (part.type !== "file") return 0;
    const written = part.data.trimStart();
    if (/^https?:/i.test(written)) return isNamed || isFilmPage(written) ? this.#windowTokens : 0;
    if (isNamed ? isTypeScript(part) : !hasFilmBytes(part)) return 0;
    const milliseconds = this.#budget.boxes > 0 ? lengthMs(bytesOf(part), this.#budget) : null;
    if (milliseconds === null) return this.#windowTokens;
    return Math.min(Math.ceil(milliseconds / 1_000) * TOKENS_PER_SECOND, this.#windowTokens);
  }
}

function isFilmPage(address: string): boolean {
  return FILM_HOSTS.test(URL.parse(address)?.hostname ?? "");
}

/** MIME tables take a TypeScript file (`.ts`) for an MPEG transport stream; packets of a real one start with 0x47. */
function isTypeScript(file: FilePart): boolean {
  const isStream = /^video\/mp2t$/i.test(file.mediaType ?? "") || /^\s*data:video\/mp2t\b/i.test(file.data);
  return isStream && bytesOf(file, HEAD_CHARACTERS)[0] !== 0x47;
}

function hasFilmBytes(file: FilePart): boolean {
  const mediaType = sniffMediaType(bytesOf(file, HEAD_CHARACTERS));
  return mediaType !== null && mediaKindOf(mediaType) === "video";
}

/**
 * Null unless it starts as an MP4 or QuickTime file, which no decoder takes for anything else. Fragments are not
 * added up.
 */
function lengthMs(bytes: Uint8Array, budget: IsoBudget): number | null {
  if (isoBrands(bytes) === null) return null;
  const boxes = isoTopBoxes(bytes, budget);
  if (boxes === null || boxes.some(({ type }) => type === "moof")) return null;
  return isoDurationMs(bytes, budget) ?? null;
}

/** Empty if the data is not base64. */
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
