import type { GivenFile } from "./media-contract.ts";

/** Reference media inside the request itself: nothing of ours has to be reachable from outside. */
export function dataUriOf({ bytes, mediaType }: GivenFile): string {
  return `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
}
