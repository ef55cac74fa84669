import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import type { PictureJob } from "../media/renderer.ts";
import { readBrief } from "./brief/read-brief.ts";
import { paintPicture } from "./paint-picture.ts";
import { pictureSize } from "./picture-size.ts";
import { encodePng } from "./png.ts";

/**
 * At 100, and just below, the canvas writes WebP (nearly) without loss, which takes up to half a minute at the largest
 * tier.
 */
const MOST_KEPT = { jpeg: 100, webp: 90 } as const;

/** The same job gives the same bytes. */
export async function renderPicture({ request, index }: PictureJob): Promise<MadeFile> {
  const { prompt, negativePrompt = "", aspectRatio, tier, finish = {} } = request;
  const size = pictureSize(tier, aspectRatio);
  const brief = readBrief({ prompt, negativePrompt, variation: String(index) });
  const canvas = createCanvas(size.width, size.height);
  paintPicture(canvas, brief);
  const { format = "png", compression = 100 } = finish;
  return {
    bytes:
      format === "png"
        ? encodePng(pixelsOf(canvas), size.width, size.height)
        : await canvas.encode(format, Math.min(compression, MOST_KEPT[format])),
    mediaType: `image/${format}`,
    ...size,
    durationMs: null,
  };
}

function pixelsOf(canvas: Canvas): Uint8Array {
  return canvas.data();
}
