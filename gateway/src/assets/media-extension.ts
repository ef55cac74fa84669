import type { MediaType } from "../media/index.ts";

/** File extensions; they also tell the type of a stored object without its row. */
const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "video/mp4": "mp4",
  "video/webm": "webm",
};

const TYPES = new Map<string, MediaType>(
  Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type as MediaType]),
);

export function extensionOf(mediaType: MediaType): string {
  return EXTENSIONS[mediaType];
}

/** Undefined if it is not one of our extensions. */
export function mediaTypeOfExtension(extension: string): MediaType | undefined {
  return TYPES.get(extension);
}
