import { imageSize, type MediaKind, type MediaType, mediaKindOf, sniffMediaType } from "../kit/index.ts";
import { filmHead } from "./film-head.ts";
import type { MadeFile } from "./media-contract.ts";
import { mp3LengthMs } from "./mp3-length.ts";
import { UnusableFile } from "./unusable-file.ts";
import { readWav } from "./wav.ts";

export const UNREADABLE_FILE = "The model's provider sent a file that we cannot read.";

/** What was made, by its own bytes: what a provider's header says of a file is not believed. */
export function madeFile(bytes: Uint8Array, kind: MediaKind): MadeFile {
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null || mediaKindOf(mediaType) !== kind) {
    const found = `${bytes.byteLength} bytes of ${mediaType ?? "no known kind"}`;
    throw new UnusableFile(UNREADABLE_FILE, `${found}, not ${kind}`);
  }
  return { bytes, mediaType, ...UNKNOWN, ...headOf(bytes, mediaType) };
}

const UNKNOWN = { width: null, height: null, durationMs: null } as const;

/** What the headers of a file tell cheaply. */
function headOf(bytes: Uint8Array, mediaType: MediaType): Partial<Pick<MadeFile, keyof typeof UNKNOWN>> {
  switch (mediaType) {
    case "audio/wav":
      return { durationMs: readWav(bytes)?.durationMs ?? null };
    case "audio/mpeg":
      return { durationMs: mp3LengthMs(bytes) };
    case "video/mp4":
      return filmHead(bytes);
    default:
      return imageSize(bytes) ?? {};
  }
}
