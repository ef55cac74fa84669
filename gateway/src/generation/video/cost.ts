import { type Priced, pricedVideo, thawVideoPrice, type VideoModel, videoCost } from "../../catalog/index.ts";
import type { Credits } from "../../kit/index.ts";
import { paidLengthMs } from "../paid-length.ts";
import type { VideoOptions, VideoOrder } from "./order.ts";

/** The properties of the made video that its cost depends on; null if unknown. */
export type MadeVideo = {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly hasSound?: boolean | null;
};

export function videoEstimate(model: VideoModel, options: VideoOptions): Credits {
  const { durationMs, resolution, sound, draft } = options;
  return videoCost({ model, durationMs, resolution, sound, draft });
}

/** The price of what was made, by the prices at submission; never above the estimate. */
export function priceMadeVideo(input: {
  readonly model: string;
  readonly order: VideoOrder;
  readonly made: MadeVideo;
  readonly estimate: Credits;
}): Priced {
  const { order, made, estimate } = input;
  const { wish: options, price } = order;
  return pricedVideo({
    model: thawVideoPrice(input.model, price),
    durationMs: madeDurationMs(options, made),
    resolution: madeResolution(options, made, Object.keys(price.perSecond)),
    // Sound that was requested but is missing is not charged.
    sound: options.sound && made.hasSound !== false,
    draft: options.draft,
    atMost: estimate,
  });
}

/** Without a measured length, the requested one counts. */
function madeDurationMs(options: VideoOptions, { durationMs }: MadeVideo): number {
  if (durationMs === null || durationMs <= 0) return options.durationMs;
  return paidLengthMs(Math.round(durationMs), options.durationMs);
}

/** A draft counts as the requested resolution, whatever its own size: it is a cheap preview of that. */
function madeResolution(options: VideoOptions, made: MadeVideo, priced: readonly string[]): string {
  return options.draft ? options.resolution : nearestResolution(made, priced, options.resolution);
}

/**
 * The priced resolution nearest to a video, by its short side or its area, whichever is larger: a square 720p video
 * may have 720 lines, or as many pixels as a wide one. `unknown` is returned if its size is unknown.
 */
export function nearestResolution(
  { width, height }: Pick<MadeVideo, "width" | "height">,
  priced: readonly string[],
  unknown: string,
): string {
  if (width === null || height === null || width <= 0 || height <= 0) return unknown;
  const lines = Math.max(Math.min(width, height), Math.sqrt((width * height * 9) / 16));
  const distance = (name: string) => Math.abs(Math.log(lines / linesOf(name)));
  return priced.reduce((best, name) => (distance(name) < distance(best) ? name : best), unknown);
}

const LINES_PER_K = 540;

/** `720p` has 720 lines, `4k` 2160. */
function linesOf(resolution: string): number {
  const figure = Number.parseInt(resolution, 10);
  return resolution.endsWith("k") ? figure * LINES_PER_K : figure;
}
