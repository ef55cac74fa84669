import type { VideoRequest, VideoState } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { failedVideo } from "../../failed-video.ts";
import type { Embedding } from "../../media/embedded-media.ts";
import { refuseUnsupported } from "../../media/video-abilities.ts";
import { unreadValue } from "../failure.ts";
import { fileOf, type VideoSettings } from "./video-provider.ts";

export function checkGoogleVideo(request: VideoRequest<unknown>): void {
  refuseUnsupported(request, { tasks: ["text_to_video", "image_to_video", "reference_to_video"] });
}

export function encodeGoogleVideo(request: VideoRequest, embedding: Embedding): VideoSettings {
  const image = request.referenceImage === null ? undefined : fileOf(request.referenceImage, embedding);
  const isReference = request.task === "reference_to_video";
  return {
    aspectRatio: request.aspectRatio as `${number}:${number}`,
    durationSeconds: request.durationMs / 1_000,
    seed: request.seed ?? undefined,
    image: isReference ? undefined : image,
    inputReferences: isReference && image !== undefined ? [image] : undefined,
    // The model always makes sound; the service has no option to leave it out.
    providerOptions: { google: { resolution: request.resolution } },
  };
}

const NOTHING_MADE = "The model's provider finished without a video; its content rules are the usual reason.";

/** The library reports work that ended without a video as an error, and drops the provider's reason. */
export function decodeGoogleEnd(error: unknown): VideoState | null {
  if (!(error instanceof Error)) return null;
  const isEmpty =
    error.name === "GOOGLE_VIDEO_GENERATION_ERROR" && /^No (?:valid )?videos/.test(error.message);
  if (isEmpty) return { state: "failed", reason: "content_filter", message: NOTHING_MADE };
  return isWordlessEnd(unreadValue(error.cause)) ? failedVideo("", []) : null;
}

/** Work that failed without a message, which the library cannot parse. */
function isWordlessEnd(answer: unknown): boolean {
  return isObject(answer) && answer["done"] === true && isObject(answer["error"]);
}
