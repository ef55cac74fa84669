import type { VideoModel } from "../../catalog/index.ts";
import { type Credits, credits, invalid, type MediaType, mediaDurationMs } from "../../kit/index.ts";
import { type GivenFile, videoHead } from "../../providers/index.ts";
import { nearestResolution, videoEstimate } from "./cost.ts";
import type { Reference, VideoWish } from "./order.ts";

/** By which a caller says how long, how large, of what shape and how loud a video should be; as the wire calls them. */
export const EXTENT_FIELDS = ["duration", "resolution", "aspect_ratio", "generate_audio"] as const;
export type ExtentField = (typeof EXTENT_FIELDS)[number];

/** A video of so many seconds mostly says some frames more. */
const ROUNDING_MS = 1_000;

/**
 * The wish for a video that keeps what its reference has: its length and size are what is held for and charged, and what
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
    throw invalid(field, "must be absent: an edit by this model follows its reference_video");
  const extent = reference && videoExtent(reference);
  if (!extent) {
    const why = "must be an MP4 that says its length and size, which an edit by this model keeps";
    throw invalid("reference_video", why);
  }
  const { durationMs } = extent;
  const { maxMs } = model.limits.duration;
  if (durationMs >= maxMs + ROUNDING_MS) {
    throw invalid("reference_video", `must last at most ${maxMs / 1_000} seconds for this model`);
  }
  const resolution = nearestResolution(extent, model.limits.resolutions, wish.resolution);
  return { ...wish, durationMs, resolution };
}

/**
 * The most that a video may cost where the model may leave out what was said of it, and go by the reference media
 * instead: by the longer and the larger of both, as far as the model goes. Media that do not tell may have all of it.
 */
export function mostEstimate(
  model: VideoModel,
  wish: VideoWish,
  { referenceVideo, referenceAudio }: Readonly<Partial<Record<Reference, GivenFile>>>,
): Credits {
  const { resolutions, duration } = model.limits;
  const extent = referenceVideo && videoExtent(referenceVideo);
  const videoMs = extent === null ? duration.maxMs : (extent?.durationMs ?? 0);
  const referenceMs = Math.max(videoMs, soundMs(referenceAudio, duration.maxMs));
  const durationMs = Math.max(wish.durationMs, Math.min(referenceMs, duration.maxMs));
  const possible =
    extent === null ? resolutions : [nearestResolution(extent ?? NO_SIZE, resolutions, wish.resolution)];
  const costs = [wish.resolution, ...possible].map((resolution) =>
    videoEstimate(model, { ...wish, durationMs, resolution }),
  );
  return credits(Math.max(...costs));
}

/** Videos of speech are as long as it. */
function soundMs(sound: GivenFile | undefined, unknownMs: number): number {
  if (sound === undefined) return 0;
  return Math.ceil(mediaDurationMs(sound.bytes, sound.mediaType as MediaType) ?? unknownMs);
}

const NO_SIZE = { width: null, height: null } as const;

type VideoExtent = { readonly durationMs: number; readonly width: number; readonly height: number };

/** Null: it does not say. */
function videoExtent({ bytes }: GivenFile): VideoExtent | null {
  const head = videoHead(bytes);
  if (!head || head.durationMs === null || head.width === null || head.height === null) return null;
  const { width, height } = head;
  // A short video must not hide a long track.
  const longestMs = mediaDurationMs(bytes, "video/mp4") ?? 0;
  return { durationMs: Math.ceil(Math.max(head.durationMs, longestMs)), width, height };
}
