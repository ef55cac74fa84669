import type { VideoModel } from "../../catalog/index.ts";
import type { GivenFile } from "../../contract/index.ts";
import { type Credits, credits, invalid } from "../../kit/index.ts";
import { type MediaType, mediaDurationMs, videoHead } from "../../media/index.ts";
import { nearestResolution, videoEstimate } from "./cost.ts";
import type { Reference, VideoOptions } from "./order.ts";

/** The wire's fields for length, size, shape and sound of a video. */
export const EXTENT_FIELDS = ["duration", "resolution", "aspect_ratio", "generate_audio"] as const;
export type ExtentField = (typeof EXTENT_FIELDS)[number];

/** Tolerance: a video's stated length is usually some frames above the whole seconds. */
const ROUNDING_MS = 1_000;

/**
 * The options of a video that keeps the length and size of its reference: those are held for and charged. If the caller
 * sets any of `EXTENT_FIELDS`, it is refused, since it could only be ignored.
 */
export function keptExtent(
  model: VideoModel,
  input: {
    readonly options: VideoOptions;
    readonly said: readonly ExtentField[];
    readonly reference: GivenFile | undefined;
  },
): VideoOptions {
  const { options, reference } = input;
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
  const resolution = nearestResolution(extent, model.limits.resolutions, options.resolution);
  return { ...options, durationMs, resolution };
}

/**
 * The most that a video may cost if the model may ignore the requested length and size and follow the reference
 * media: the longer and the larger of both, up to the model's limits. References of unknown size count as the limits.
 */
export function mostEstimate(
  model: VideoModel,
  options: VideoOptions,
  { referenceVideo, referenceAudio }: Readonly<Partial<Record<Reference, GivenFile>>>,
): Credits {
  const { resolutions, duration } = model.limits;
  const extent = referenceVideo && videoExtent(referenceVideo);
  const videoMs = extent === null ? duration.maxMs : (extent?.durationMs ?? 0);
  const referenceMs = Math.max(videoMs, soundMs(referenceAudio, duration.maxMs));
  const durationMs = Math.max(options.durationMs, Math.min(referenceMs, duration.maxMs));
  const possible =
    extent === null ? resolutions : [nearestResolution(extent ?? NO_SIZE, resolutions, options.resolution)];
  const costs = [options.resolution, ...possible].map((resolution) =>
    videoEstimate(model, { ...options, durationMs, resolution }),
  );
  return credits(Math.max(...costs));
}

/** A video made for an audio track is as long as the track. */
function soundMs(sound: GivenFile | undefined, unknownMs: number): number {
  if (sound === undefined) return 0;
  return Math.ceil(mediaDurationMs(sound.bytes, sound.mediaType as MediaType) ?? unknownMs);
}

const NO_SIZE = { width: null, height: null } as const;

type VideoExtent = { readonly durationMs: number; readonly width: number; readonly height: number };

/** Null if its header does not contain them. */
function videoExtent({ bytes }: GivenFile): VideoExtent | null {
  const head = videoHead(bytes);
  if (!head || head.durationMs === null || head.width === null || head.height === null) return null;
  const { width, height } = head;
  // A short video track must not hide a longer audio track.
  const longestMs = mediaDurationMs(bytes, "video/mp4") ?? 0;
  return { durationMs: Math.ceil(Math.max(head.durationMs, longestMs)), width, height };
}
