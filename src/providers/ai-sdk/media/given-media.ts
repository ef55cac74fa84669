import type { Experimental_VideoModelV4File as VideoModelV4File } from "@ai-sdk/provider";
import type { Embedding } from "../../embedded-media.ts";
import type { KeptFile } from "../../media-contract.ts";

/** A library takes a text for the file's base64, and looks no further. */
export function fileOf(file: KeptFile, { base64Of }: Embedding): VideoModelV4File {
  return { type: "file", data: base64Of(file), mediaType: file.mediaType };
}
