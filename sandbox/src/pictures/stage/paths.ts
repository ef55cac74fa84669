import { Path2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import type { Rgb } from "../colour.ts";
import type { Paint } from "./stage.ts";

export type Point = readonly [number, number];

export function polygon(points: readonly Point[]): Path2D {
  const path = polyline(points);
  path.closePath();
  return path;
}

function polyline(points: readonly Point[]): Path2D {
  const path = new Path2D();
  points.forEach(([x, y], at) => {
    if (at === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  });
  return path;
}

export function ellipse(x: number, y: number, radiusX: number, radiusY = radiusX): Path2D {
  const path = new Path2D();
  path.ellipse(x, y, radiusX, radiusY, 0, 0, Math.PI * 2);
  return path;
}

export function box(x: number, y: number, width: number, height: number, radius = 0): Path2D {
  const path = new Path2D();
  if (radius > 0) path.roundRect(x, y, width, height, radius);
  else path.rect(x, y, width, height);
  return path;
}

/** A curve through the midpoints between the points, so that there are no corners. */
function smooth(points: readonly Point[]): Path2D {
  const path = new Path2D();
  const [first] = points;
  if (first === undefined) return path;
  path.moveTo(first[0], first[1]);
  for (let at = 1; at < points.length - 1; at++) {
    const [x, y] = points[at] ?? first;
    const [nextX, nextY] = points[at + 1] ?? first;
    path.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
  }
  const [lastX, lastY] = points.at(-1) ?? first;
  path.lineTo(lastX, lastY);
  return path;
}

/** The area from the edge of the land down to the bottom of the picture. */
export function ground(edge: readonly Point[], bottom: number): Path2D {
  const path = smooth(edge);
  const [firstX = 0] = edge[0] ?? [];
  const [lastX = 0] = edge.at(-1) ?? [];
  path.lineTo(lastX, bottom);
  path.lineTo(firstX, bottom);
  path.closePath();
  return path;
}

export function flat(colour: Rgb, alpha = 1): Paint {
  return { colour, alpha };
}

/** A vertical gradient from one colour to another. */
export function fall(top: Rgb, bottom: Rgb, from: number, to: number): Paint {
  return { colour: top, into: { colour: bottom, from: [0, from], to: [0, to] } };
}

/** A wavy line from left to right: a sum of sines, so that no part of it repeats. */
export function wave(
  random: Random,
  shape: { width: number; y: number; height: number; length: number; step?: number },
): Point[] {
  const { width, y, height, length, step = 24 } = shape;
  const sines = [1, 0.5, 0.26].map((share) => ({
    share,
    phase: random() * Math.PI * 2,
    rate: (Math.PI * 2) / (length * (0.35 + share * 0.75) * (0.85 + random() * 0.3)),
  }));
  const points: Point[] = [];
  for (let x = -step; x <= width + step; x += step) {
    const lift = sines.reduce((sum, sine) => sum + Math.sin(x * sine.rate + sine.phase) * sine.share, 0);
    points.push([x, y - (lift / 1.76) * height]);
  }
  return points;
}

/** Height at `x` of a line that runs from left to right. */
export function heightAt(line: readonly Point[], x: number): number {
  const [first] = line;
  if (first === undefined) return 0;
  for (let at = 1; at < line.length; at++) {
    const [rightX, rightY] = line[at] ?? first;
    if (rightX < x) continue;
    const [leftX, leftY] = line[at - 1] ?? first;
    return leftY + ((rightY - leftY) * (x - leftX)) / Math.max(1e-6, rightX - leftX);
  }
  return line.at(-1)?.[1] ?? 0;
}
