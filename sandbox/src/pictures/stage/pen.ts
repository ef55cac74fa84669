import type { CanvasGradient, SKRSContext2D } from "@napi-rs/canvas";
import { brightness, css, mix, type Rgb } from "../colour.ts";
import type { Paint, Pen } from "./stage.ts";

/** A plain pen without a style. */
export function createBrush(context: SKRSContext2D): Pen {
  return {
    context,
    fill(path, paint) {
      context.fillStyle = styleOf(context, paint);
      context.fill(path);
    },
    line(path, paint) {
      context.strokeStyle = styleOf(context, paint);
      context.lineWidth = paint.width;
      context.lineCap = "round";
      context.lineJoin = "round";
      context.stroke(path);
    },
    soft: (draw) => draw(context),
  };
}

const PAPER: Rgb = [252, 248, 240];
const INK: Rgb = [43, 45, 66];
const WASH = 0.05;
const INK_WIDTH = 2.6;

/** Outlines on paper: a shape hides what is behind it and shows at most a hint of its colour. */
export function createInkPen(context: SKRSContext2D): Pen {
  const isFaint = ({ alpha = 1 }: Paint) => alpha < 0.5;
  return {
    context,
    fill(path, paint) {
      if (isFaint(paint)) return;
      // The outline first: parts inside a compound shape are then filled over.
      context.strokeStyle = css(mix(INK, PAPER, 0.4 * brightness(paint.colour)));
      context.lineWidth = INK_WIDTH * 2;
      context.lineJoin = "round";
      context.stroke(path);
      context.fillStyle = css(mix(PAPER, paint.colour, WASH));
      context.fill(path);
    },
    line(path, paint) {
      if (isFaint(paint)) return;
      context.strokeStyle = css(INK, 0.85);
      context.lineWidth = Math.min(paint.width, INK_WIDTH * 1.2);
      context.lineCap = "round";
      context.stroke(path);
    },
    soft: () => {},
  };
}

function styleOf(context: SKRSContext2D, { colour, alpha = 1, into }: Paint): string | CanvasGradient {
  if (into === undefined) return css(colour, alpha);
  const gradient = context.createLinearGradient(...into.from, ...into.to);
  gradient.addColorStop(0, css(colour, alpha));
  gradient.addColorStop(1, css(into.colour, into.alpha ?? alpha));
  return gradient;
}
