import type { CanvasGradient, SKRSContext2D } from "@napi-rs/canvas";
import { brightness, css, mix, type Rgb, saturate } from "../colour.ts";
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

type InkColours = {
  readonly paper: Rgb;
  readonly ink: Rgb;
  readonly wash: number;
  readonly width: number;
};

/** Outlines on paper: a shape hides what is behind it and shows at most a hint of its colour. */
export function createInkPen(context: SKRSContext2D, { paper, ink, wash, width }: InkColours): Pen {
  const isFaint = ({ alpha = 1 }: Paint) => alpha < 0.5;
  return {
    context,
    fill(path, paint) {
      if (isFaint(paint)) return;
      // The outline first: parts inside a compound shape are then filled over.
      context.strokeStyle = css(mix(ink, paper, 0.4 * brightness(paint.colour)));
      context.lineWidth = width * 2;
      context.lineJoin = "round";
      context.stroke(path);
      context.fillStyle = css(mix(paper, paint.colour, wash));
      context.fill(path);
    },
    line(path, paint) {
      if (isFaint(paint)) return;
      context.strokeStyle = css(ink, 0.85);
      context.lineWidth = Math.min(paint.width, width * 1.2);
      context.lineCap = "round";
      context.stroke(path);
    },
    soft: () => {},
  };
}

/** Bent glass tubes on a dark wall: every outline glows in its shape's colour. */
export function createNeonPen(context: SKRSContext2D, wall: Rgb): Pen {
  const tube = (colour: Rgb): Rgb =>
    mix(saturate(colour, 1.7), [255, 255, 255], brightness(colour) < 0.35 ? 0.3 : 0);
  const glow = (path: Parameters<Pen["fill"]>[0], colour: Rgb, width: number) => {
    context.lineJoin = "round";
    context.lineCap = "round";
    for (const [spread, alpha] of GLOW_STEPS) {
      context.strokeStyle = css(tube(colour), alpha);
      context.lineWidth = width * spread;
      context.stroke(path);
    }
    context.strokeStyle = css(mix(tube(colour), [255, 255, 255], 0.4));
    context.lineWidth = width;
    context.stroke(path);
  };
  return {
    context,
    fill(path, paint) {
      if ((paint.alpha ?? 1) < 0.5) return;
      glow(path, paint.colour, 4.6);
      context.fillStyle = css(wall, 0.95);
      context.fill(path);
    },
    line(path, paint) {
      if ((paint.alpha ?? 1) < 0.4) return;
      glow(path, paint.colour, Math.min(paint.width, 3));
    },
    soft: () => {},
  };
}

const GLOW_STEPS = [
  [9, 0.07],
  [5.5, 0.14],
  [3, 0.2],
] as const;

function styleOf(context: SKRSContext2D, { colour, alpha = 1, into }: Paint): string | CanvasGradient {
  if (into === undefined) return css(colour, alpha);
  const gradient = context.createLinearGradient(...into.from, ...into.to);
  gradient.addColorStop(0, css(colour, alpha));
  gradient.addColorStop(1, css(into.colour, into.alpha ?? alpha));
  return gradient;
}
