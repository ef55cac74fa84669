import { type MadeFile, ProviderFailure } from "../../contract/index.ts";
import {
  hasTooManyPixels,
  type ImageSize,
  imageSize,
  type MediaType,
  mediaKindOf,
  sniffMediaType,
} from "../../media/index.ts";

/** Three times an image of the largest tier. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** For all files of one call: ten images of the largest tier, with a margin. */
export const MAX_MADE_BYTES = 256 * 1024 * 1024;

/** A file whose type and size were read from its bytes, whatever the provider declared. */
export type CheckedFile = {
  readonly bytes: Uint8Array;
  readonly mediaType: MediaType;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
};

/**
 * Checks what a provider made: at most `most` files, each of the right kind. Unusable files (an HTML page, SVG, a
 * decompression bomb) are dropped and not charged. If none is left, it is the provider's failure, so the next target
 * is tried.
 */
export function checkMade(
  files: readonly MadeFile[],
  asked: { readonly kind: "image" | "audio"; readonly most: number },
): readonly CheckedFile[] {
  const check = asked.kind === "image" ? checkedImage : checkedSound;
  const kept: CheckedFile[] = [];
  let keptBytes = 0;
  let failure = unusable("nothing was made");
  for (const file of files.slice(0, asked.most)) {
    try {
      const { byteLength } = file.bytes;
      if (byteLength > MAX_FILE_BYTES || keptBytes + byteLength > MAX_MADE_BYTES) {
        throw unusable(`${byteLength} bytes after ${keptBytes}`);
      }
      kept.push(check(file));
      keptBytes += byteLength;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      failure = error;
    }
  }
  if (kept.length === 0) throw failure;
  return kept;
}

function checkedImage(file: MadeFile): CheckedFile {
  const mediaType = typeOf(file, "image");
  const size = imageSize(file.bytes);
  if (size === null) throw unusable("a picture without a size");
  if (hasTooManyPixels(size)) throw unusable(`a picture of ${describe(size)}`);
  return { bytes: file.bytes, mediaType, ...size, durationMs: null };
}

function checkedSound(file: MadeFile): CheckedFile {
  const mediaType = typeOf(file, "audio");
  return { bytes: file.bytes, mediaType, width: null, height: null, durationMs: lengthOf(file) };
}

function typeOf({ bytes, mediaType: said }: MadeFile, kind: "image" | "audio"): MediaType {
  const mediaType = sniffMediaType(bytes);
  if (mediaType !== null && mediaKindOf(mediaType) === kind) return mediaType;
  throw unusable(`${said.slice(0, 100)} that is ${mediaType ?? "nothing we know"}`);
}

/** Ignores impossible lengths; the price of music may depend on it. */
function lengthOf({ durationMs }: MadeFile): number | null {
  if (durationMs === null || !Number.isFinite(durationMs) || durationMs <= 0) return null;
  return Math.round(durationMs);
}

function describe({ width, height }: ImageSize): string {
  return `${width} by ${height} pixels`;
}

function unusable(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider made no file that can be used.", {
    internal,
    reason: "provider_bad_reply",
    targetHealth: "up",
  });
}
