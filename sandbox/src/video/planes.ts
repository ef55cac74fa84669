import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { Layer, Pen, Stage } from "../pictures/stage/stage.ts";
import type { PictureStyle } from "../pictures/styles/picture-style.ts";
import type { VideoSize } from "./video-size.ts";

/** A layer as a video shows it; still layers were painted in advance, on sheets of their own. */
export type Plane = Pick<Layer, "depth" | "sway"> & { paint(pen: Pen, seconds: number): void };

type PlaneOptions = {
  readonly size: VideoSize;
  readonly stage: Stage;
  readonly style: PictureStyle;
  readonly layers: readonly Layer[];
};

/** Layers this close share a sheet: every sheet costs a copy per frame. */
const SAME_DEPTH = 0.14;
/** Sheets are larger than the frame, since the camera zooms in. */
const SHEET_SCALE = 1.12;

export function createPlanes(options: PlaneOptions): Plane[] {
  return groupsOf(options.layers).map(([first, ...others]) =>
    first.isMoving ? first : stillPlane(options, [first, ...others]),
  );
}

type Group = [Layer, ...Layer[]];

/** Groups adjacent still layers. */
function groupsOf(layers: readonly Layer[]): Group[] {
  const groups: Group[] = [];
  for (const layer of layers) {
    const last = groups.at(-1);
    const isFixed = ({ isMoving, sway }: Layer) => !isMoving && sway === undefined;
    const joins =
      last && isFixed(layer) && isFixed(last[0]) && Math.abs(last[0].depth - layer.depth) <= SAME_DEPTH;
    if (joins) last.push(layer);
    else groups.push([layer]);
  }
  return groups;
}

function stillPlane({ size, stage, style }: PlaneOptions, [first, ...others]: Group): Plane {
  const sheet = createCanvas(Math.ceil(size.width * SHEET_SCALE), Math.ceil(size.height * SHEET_SCALE));
  const context = sheet.getContext("2d");
  const scale = (size.width / stage.width) * SHEET_SCALE;
  context.scale(scale, scale);
  const pen = style.pen(context);
  for (const layer of [first, ...others]) layer.paint(pen, 0);
  const { top, height } = paintedRows(sheet);
  return {
    depth: first.depth,
    sway: first.sway,
    paint({ context: target }) {
      if (height === 0) return;
      target.drawImage(
        sheet,
        0,
        top,
        sheet.width,
        height,
        0,
        top / scale,
        sheet.width / scale,
        height / scale,
      );
    },
  };
}

/** Most sheets are empty above the land or below the sky; empty rows need not be copied. */
function paintedRows(sheet: Canvas): { top: number; height: number } {
  const { width, height } = sheet;
  const bytes = sheet.data();
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  const isEmpty = (row: number) => {
    for (let at = row * width; at < (row + 1) * width; at++) if (pixels[at] !== 0) return false;
    return true;
  };
  let top = 0;
  while (top < height && isEmpty(top)) top++;
  let bottom = height;
  while (bottom > top && isEmpty(bottom - 1)) bottom--;
  return { top, height: bottom - top };
}
