import {
  type IsoBudget,
  isoBrands,
  isoDurationMs,
  isoTopBoxes,
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
const FILM_HOSTS = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be)\.?$/;
/** Of all films of one request together: a real one has a few hundred, several times looked at. */
const MAX_BOXES = 32_768;

/** Of one request. */
export class FilmReader {
  readonly #windowTokens: number;
  readonly #budget: IsoBudget = { boxes: MAX_BOXES };

  constructor(windowTokens: number) {
    this.#windowTokens = windowTokens;
  }

  /**
   * What a film counts as at most: by its length where its bytes tell that, else as much as the model's server takes. 0
   * for what is none. `isNamed`: one of its names says that it is a film.
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

/** A file of TypeScript, which MIME tables call a transport stream for its ending; each packet of one begins alike. */
function isTypeScript(file: FilePart): boolean {
  const isStream = /^video\/mp2t$/i.test(file.mediaType ?? "") || /^\s*data:video\/mp2t\b/i.test(file.data);
  return isStream && bytesOf(file, HEAD_CHARACTERS)[0] !== 0x47;
}

function hasFilmBytes(file: FilePart): boolean {
  const mediaType = sniffMediaType(bytesOf(file, HEAD_CHARACTERS));
  return mediaType !== null && mediaKindOf(mediaType) === "video";
}

/** Of one that begins as an MP4 or a QuickTime film: nobody takes it for anything else. Fragments are not added up. */
function lengthMs(bytes: Uint8Array, budget: IsoBudget): number | null {
  if (isoBrands(bytes) === null) return null;
  const boxes = isoTopBoxes(bytes, budget);
  if (boxes === null || boxes.some(({ type }) => type === "moof")) return null;
  return isoDurationMs(bytes, budget) ?? null;
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
