import type { Experimental_VideoModelV4File as VideoModelV4File } from "@ai-sdk/provider";
import type { Embedding } from "../../embedded-media.ts";
import type { KeptFile, VideoRequest, VideoTask } from "../../media-contract.ts";
import { rejected } from "./model-call.ts";

/** A library takes a text for the file's base64, and looks no further. */
export function fileOf(file: KeptFile, { base64Of }: Embedding): VideoModelV4File {
  return { type: "file", data: base64Of(file), mediaType: file.mediaType };
}

/** What a vendor can do with a request for film. */
export type FilmAbilities = {
  readonly tasks: readonly VideoTask[];
  readonly takesVideo?: boolean;
  readonly takesAudio?: boolean;
  readonly takesSeed?: boolean;
  readonly drafts?: boolean;
};

/** Whatever would be left out in silence is refused instead: the caller pays for what was asked. */
export function refuseUnsupported(request: VideoRequest, can: FilmAbilities): void {
  if (!can.tasks.includes(request.task)) throw rejected(`This model cannot do ${request.task}.`);
  if (request.draft && !can.drafts) throw rejected("This model makes no drafts.");
  if (request.seed !== null && can.takesSeed === false) throw rejected("This model takes no seed.");
  if (request.referenceVideo !== null && !can.takesVideo) {
    throw rejected("This model takes no reference video.");
  }
  if (request.referenceAudio !== null && !can.takesAudio) {
    throw rejected("This model takes no reference audio.");
  }
}
