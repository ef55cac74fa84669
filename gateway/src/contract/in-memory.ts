import type { GivenFile, KeptFile } from "./media.ts";

/** Adapts a file that is in memory anyway to callers that read in pieces. */
export function inMemory({ bytes, mediaType }: GivenFile): KeptFile {
  return {
    mediaType,
    sizeBytes: bytes.byteLength,
    read: async (start, length) => bytes.subarray(start, start + length),
  };
}
