import type { GivenFile, KeptFile } from "./media-contract.ts";

/** A file that somebody holds anyway, for those who read in pieces. */
export function inMemory({ bytes, mediaType }: GivenFile): KeptFile {
  return {
    mediaType,
    sizeBytes: bytes.byteLength,
    read: async (start, length) => bytes.subarray(start, start + length),
  };
}
