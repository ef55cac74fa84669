import type { VideoModel } from "../../catalog/index.ts";
import { invalid, mediaDurationMs } from "../../kit/index.ts";
import { filmHead, type GivenFile } from "../../providers/index.ts";
import { nearestResolution } from "./cost.ts";
import type { VideoWish } from "./order.ts";

/** By which a caller says how long, how large, of what shape and how loud a film should be; as the wire calls them. */
export const EXTENT_FIELDS = ["duration", "resolution", "aspect_ratio", "generate_audio"] as const;
export type ExtentField = (typeof EXTENT_FIELDS)[number];

/** A film of so many seconds mostly says some frames more. */
const ROUNDING_MS = 1_000;

/**
 * The wish for a film that keeps what its reference has: its length and size are what is held for and charged, and what
 * the caller says of them beside it is refused, since it could only be left out.
 */
export function keptExtent(
  model: VideoModel,
  input: {
    readonly wish: VideoWish;
    readonly said: readonly ExtentField[];
    readonly reference: GivenFile | undefined;
  },
): VideoWish {
  const { wish, reference } = input;
  const [field] = input.said;
  if (field !== undefined)
    throw invalid(field, "must be absent: an edit by this model is as its reference_video");
  const head = reference && filmHead(reference.bytes);
  if (!head || head.durationMs === null || head.width === null || head.height === null) {
    const why = "must be an MP4 that says its length and size, which an edit by this model keeps";
    throw invalid("reference_video", why);
  }
  // A short film must not hide a long track.
  const longestMs = mediaDurationMs(reference.bytes, "video/mp4") ?? 0;
  const durationMs = Math.ceil(Math.max(head.durationMs, longestMs));
  const { maxMs } = model.limits.duration;
  if (durationMs >= maxMs + ROUNDING_MS) {
    throw invalid("reference_video", `must last at most ${maxMs / 1_000} seconds for this model`);
  }
  const resolution = nearestResolution(head, model.limits.resolutions, wish.resolution);
  return { ...wish, durationMs, resolution };
}
