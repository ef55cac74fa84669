import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Brief } from "../brief/brief.ts";
import { css, hex } from "../colour.ts";
import { FONT_FAMILY, loadFonts } from "../finish/fonts.ts";
import type { Stage } from "../stage/stage.ts";
import { posterTitle } from "./poster-title.ts";

/** The space that a frame takes from the picture, in units of the whole. */
export type Insets = { readonly side: number; readonly top: number; readonly bottom: number };

type Size = { readonly width: number; readonly height: number };

const CREAM = hex("#f7ecd4");
const BAND_UNITS = 168;
const FRAME_UNITS = 34;

export function posterInsets(brief: Brief): Insets {
  const hasTitle = posterTitle(brief.caption) !== "" && !brief.unwanted.has("text");
  return { side: FRAME_UNITS, top: FRAME_UNITS, bottom: hasTitle ? BAND_UNITS : FRAME_UNITS };
}

/** A cream frame with a title under the picture. */
export function paintPoster(context: SKRSContext2D, stage: Stage, { width, height }: Size): void {
  loadFonts();
  const { side, top, bottom } = posterInsets(stage.brief);
  context.fillStyle = css(CREAM);
  context.fillRect(0, 0, width, top);
  context.fillRect(0, 0, side, height);
  context.fillRect(width - side, 0, side, height);
  context.fillRect(0, height - bottom, width, bottom);
  if (bottom === FRAME_UNITS) return;
  const title = posterTitle(stage.brief.caption);
  context.fillStyle = css(stage.light.isNight ? stage.light.skyMid : hex("#23355a"));
  context.textAlign = "center";
  context.textBaseline = "middle";
  const room = width - side * 4;
  let size = 84;
  for (; size > 30; size -= 3) {
    context.font = `700 ${size}px ${FONT_FAMILY}`;
    if (context.measureText(title).width <= room) break;
  }
  context.fillText(title, width / 2, height - bottom * 0.58, room);
  context.fillRect(width / 2 - 60, height - bottom * 0.22, 120, 4);
}
