import type { Canvas } from "@napi-rs/canvas";
import type { Brief } from "./brief/brief.ts";
import { isPaleAtFoot, paintCaption } from "./finish/caption.ts";
import { paintAtmosphere, paintGrain } from "./finish/finish.ts";
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
