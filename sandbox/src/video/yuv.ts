import type { VideoSize } from "./video-size.ts";

/** The colour conversion below, in standard terms for the file's metadata. */
export const VIDEO_COLOURS = {
  primaries: "smpte170m",
  transfer: "smpte170m",
  matrix: "smpte170m",
  fullRange: false,
} as const;

/**
 * Luma of every pixel, chroma of every four; into `target`, which is reused for each frame. A pixel is one number and
 * every weight a constant: otherwise this takes fifteen times as long, as long as encoding.
 */
export function fillYuv(target: Uint8Array, pixels: Uint32Array, { width, height }: VideoSize): void {
  let blueAt = width * height;
  let redAt = blueAt + blueAt / 4;
  for (let row = 0; row < height; row += 2) {
    let at = row * width;
    for (const end = at + width; at < end; at += 2) {
      const p0 = pixels[at] ?? 0;
      const p1 = pixels[at + 1] ?? 0;
      const p2 = pixels[at + width] ?? 0;
      const p3 = pixels[at + width + 1] ?? 0;
      const r0 = p0 & 255;
      const g0 = (p0 >> 8) & 255;
      const b0 = (p0 >> 16) & 255;
      const r1 = p1 & 255;
      const g1 = (p1 >> 8) & 255;
      const b1 = (p1 >> 16) & 255;
      const r2 = p2 & 255;
      const g2 = (p2 >> 8) & 255;
      const b2 = (p2 >> 16) & 255;
      const r3 = p3 & 255;
      const g3 = (p3 >> 8) & 255;
      const b3 = (p3 >> 16) & 255;
      target[at] = (66 * r0 + 129 * g0 + 25 * b0 + 4224) >> 8;
      target[at + 1] = (66 * r1 + 129 * g1 + 25 * b1 + 4224) >> 8;
      target[at + width] = (66 * r2 + 129 * g2 + 25 * b2 + 4224) >> 8;
      target[at + width + 1] = (66 * r3 + 129 * g3 + 25 * b3 + 4224) >> 8;
      const red = r0 + r1 + r2 + r3;
      const green = g0 + g1 + g2 + g3;
      const blue = b0 + b1 + b2 + b3;
      target[blueAt++] = (-38 * red - 74 * green + 112 * blue + 131584) >> 10;
      target[redAt++] = (112 * red - 94 * green - 18 * blue + 131584) >> 10;
    }
  }
}
