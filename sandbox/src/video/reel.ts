import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { isPaleAtFoot, paintCaption } from "../pictures/finish/caption.ts";
import { paintCorners } from "../pictures/finish/finish.ts";
import { FONT_FAMILY } from "../pictures/finish/fonts.ts";
import type { Layer, Stage } from "../pictures/stage/stage.ts";
import type { PictureStyle } from "../pictures/styles/picture-style.ts";
import { type Camera, planeView } from "./camera.ts";
import { createPlanes, type Plane } from "./planes.ts";
import type { VideoSize } from "./video-size.ts";

export type Reel = {
  /** Paints one frame and returns its pixels, which are only valid until the next frame. */
  frame(seconds: number, progress: number): Uint8Array;
};

type ReelOptions = {
  readonly size: VideoSize;
  readonly stage: Stage;
  readonly style: PictureStyle;
  readonly layers: readonly Layer[];
  readonly camera: Camera;
  /** Shown in a corner. */
  readonly notes: readonly string[];
};

export function createReel(options: ReelOptions): Reel {
  const { size, stage, style, camera } = options;
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  const pen = style.pen(context);
  const scale = size.width / stage.width;
  const planes = createPlanes(options);
  let cover: Canvas | null = null;

  function paintPlane(plane: Plane, seconds: number, progress: number): void {
    const { zoom, panX, panY } = planeView(camera(progress), plane.depth);
    const { x, alpha } = plane.sway?.(seconds) ?? { x: 0, alpha: 1 };
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.translate(stage.width * (0.5 + panX) + x, stage.height * (0.5 + panY));
    context.scale(zoom, zoom);
    context.translate(-stage.width / 2, -stage.height / 2);
    context.globalAlpha = alpha;
    plane.paint(pen, seconds);
    context.globalAlpha = 1;
  }

  return {
    frame(seconds, progress) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = style.paper ?? "black";
      context.fillRect(0, 0, size.width, size.height);
      for (const plane of planes) paintPlane(plane, seconds, progress);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      style.rework?.(canvas);
      cover ??= coverOf(options, isPaleAtFoot(context));
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(cover, 0, 0);
      return canvas.data();
    },
  };
}

/** What the camera does not move: darker corners, the caption, the notes. */
function coverOf({ size, stage, style, notes }: ReelOptions, isPale: boolean): Canvas {
  const cover = createCanvas(size.width, size.height);
  const context = cover.getContext("2d");
  const scale = size.width / stage.width;
  context.scale(scale, scale);
  if (style.hasAtmosphere) paintCorners(context, stage);
  const { width, height, brief } = stage;
  paintCaption(context, { width, height, text: brief.caption, hasText: !stage.refuses("text"), isPale });
  notes.forEach((note, at) => {
    context.font = `500 20px ${FONT_FAMILY}`;
    const wide = Math.min(width - 60, context.measureText(note).width + 36);
    context.fillStyle = "rgba(8,10,24,0.55)";
    context.beginPath();
    context.roundRect(30, 30 + at * 50, wide, 40, 20);
    context.fill();
    context.fillStyle = "rgba(255,255,255,0.92)";
    context.textAlign = "left";
    context.fillText(note, 48, 57 + at * 50, wide - 36);
  });
  return cover;
}
