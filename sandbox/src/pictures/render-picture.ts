import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import type { PictureJob } from "../media/renderer.ts";
import { readBrief } from "./brief/read-brief.ts";
import type { Brief } from "./brief.ts";
import { isPaleAtFoot, paintCaption } from "./finish/caption.ts";
import { paintAtmosphere, paintGrain } from "./finish/finish.ts";
import { pictureSize } from "./picture-size.ts";
import { encodePng } from "./png.ts";
import { sceneLayers } from "./scene.ts";
import { createStage } from "./stage/stage.ts";
import { styleOf } from "./styles/picture-style.ts";

/** Paints one still: layers, light, style, text, grain. */
export function paintPicture(canvas: Canvas, brief: Brief): void {
  const context = canvas.getContext("2d");
  const style = styleOf(brief.style);
  if (style.paper !== null) {
    context.fillStyle = style.paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  const scale = Math.min(canvas.width, canvas.height) / 1000;
  const [width, height] = [canvas.width / scale, canvas.height / scale];
  const stage = createStage(brief, { width, height });
  context.save();
  context.scale(scale, scale);
  const pen = style.pen(context);
  for (const layer of sceneLayers(stage)) layer.paint(pen, 0);
  if (style.hasAtmosphere) paintAtmosphere(context, stage);
  context.restore();
  style.rework?.(canvas);
  context.scale(scale, scale);
  const hasText = !stage.refuses("text");
  paintCaption(context, { width, height, text: brief.caption, hasText, isPale: isPaleAtFoot(context) });
  paintGrain(context, canvas);
}

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
