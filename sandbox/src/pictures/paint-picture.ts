import type { Canvas } from "@napi-rs/canvas";
import type { Brief } from "./brief/brief.ts";
import { isPaleAtFoot, paintCaption } from "./finish/caption.ts";
import { paintAtmosphere, paintGrain } from "./finish/finish.ts";
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
  const { side, top, bottom } = style.insetsOf?.(brief) ?? { side: 0, top: 0, bottom: 0 };
  const stage = createStage(brief, { width: width - 2 * side, height: height - top - bottom });
  context.save();
  const inner = (scale * (width - 2 * side)) / stage.width;
  context.translate(side * scale, top * scale);
  context.scale(inner, inner);
  const pen = style.pen(context);
  for (const layer of style.layers(stage)) layer.paint(pen, 0);
  if (style.hasAtmosphere) paintAtmosphere(context, stage);
  context.restore();
  style.rework?.(canvas, stage);
  context.scale(scale, scale);
  style.frame?.(context, stage, { width, height });
  const hasText = style.hasCaption !== false && !stage.refuses("text");
  paintCaption(context, { width, height, text: brief.caption, hasText, isPale: isPaleAtFoot(context) });
  if (!stage.refuses("grain")) paintGrain(context, canvas);
}
