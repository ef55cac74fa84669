import { ratioOf } from "../pictures/picture-size.ts";

export type VideoSize = { readonly width: number; readonly height: number };

const USUAL_LINES = 480;
const MOST_LINES = 1080;

/** The shorter side has as many pixels as the resolution says; both sides are even, since chroma is half as large. */
export function sizeFor(resolution: string, aspectRatio: string): VideoSize {
  const lines = Math.min(MOST_LINES, Number.parseInt(resolution, 10) || USUAL_LINES);
  const ratio = ratioOf(aspectRatio);
  const even = (side: number) => Math.max(2, Math.round(side / 2) * 2);
  return ratio >= 1
    ? { width: even(lines * ratio), height: even(lines) }
    : { width: even(lines), height: even(lines / ratio) };
}
