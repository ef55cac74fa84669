import type { Random } from "../../random.ts";
import { darken, lighten, mix, type Rgb } from "../colour.ts";
import { fall, flat, type Point, polygon } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";

type Peak = {
  readonly top: Point;
  readonly left: readonly Point[];
  readonly right: readonly Point[];
  readonly ridge: readonly Point[];
};

type RangeShape = {
  readonly name: string;
  readonly base: number;
  readonly height: number;
  readonly count: number;
  /** 0 is near, 1 is lost in the haze. */
  readonly distance: number;
  readonly depth: number;
  readonly rock: Rgb;
  readonly hasSnow: boolean;
};

/** A mountain range, unless mountains are unwanted; each peak has a lit and a shaded face and a cap of snow. */
export function rangeLayers(stage: Stage, shape: RangeShape): Layer[] {
  if (stage.refuses("mountains")) return [];
  const lots = stage.random(shape.name);
  const spacing = stage.width / shape.count;
  const peaks = Array.from({ length: shape.count + 2 }, (_, at) => {
    const x = (at - 0.5) * spacing + (lots() - 0.5) * spacing * 0.6;
    const height = shape.height * (0.5 + lots() * 0.5);
    return makePeak(lots, { x, base: shape.base, height, half: height * (0.85 + lots() * 0.5) });
  });
  // Higher ones behind lower ones.
  peaks.sort((one, other) => one.top[1] - other.top[1]);
  const litSide = stage.orb.x < stage.width / 2 ? "left" : "right";
  return [
    {
      depth: shape.depth,
      isMoving: false,
      paint(pen) {
        for (const peak of peaks) paintPeak(stage, pen, { peak, shape, litSide });
      },
    },
  ];
}

function makePeak(lots: Random, at: { x: number; base: number; height: number; half: number }): Peak {
  const { x, base, height, half } = at;
  const top: Point = [x, base - height];
  const slope = (direction: number): Point[] => {
    const steps = 7;
    return Array.from({ length: steps }, (_, step): Point => {
      const along = (step + 1) / steps;
      const jag = step === steps - 1 ? 0 : (lots() - 0.5) * height * 0.07;
      return [x + direction * half * along ** 0.92, base - height * (1 - along) + jag];
    });
  };
  const ridge = Array.from({ length: 7 }, (_, step): Point => {
    const along = (step + 1) / 7;
    return [x + (lots() - 0.5) * half * 0.3 * along + half * 0.1 * along, base - height * (1 - along)];
  });
  return { top, left: slope(-1), right: slope(1), ridge };
}

function paintPeak(
  stage: Stage,
  pen: Pen,
  { peak, shape, litSide }: { peak: Peak; shape: RangeShape; litSide: "left" | "right" },
): void {
  const { top, left, right, ridge } = peak;
  const { distance, rock, base } = shape;
  const lit = stage.seen(lighten(rock, 0.3), distance);
  const shaded = stage.seen(darken(rock, 0.12), distance);
  const foot = stage.seen(mix(rock, stage.light.haze, 0.45), Math.min(1, distance + 0.22));
  pen.fill(
    polygon([top, ...left, ...[...right].reverse()]),
    fall(litSide === "left" ? lit : shaded, foot, top[1], base),
  );
  const half = litSide === "left" ? right : left;
  pen.fill(polygon([top, ...ridge, ...[...half].reverse()]), fall(shaded, foot, top[1], base));
  const other = litSide === "left" ? left : right;
  pen.soft(() => pen.fill(polygon([top, ...ridge, ...[...other].reverse()]), fall(lit, foot, top[1], base)));
  if (shape.hasSnow) paintSnow(stage, pen, { peak, shape, litSide });
}

/** Covers about the top third, with a jagged edge. */
function paintSnow(
  stage: Stage,
  pen: Pen,
  { peak, shape, litSide }: { peak: Peak; shape: RangeShape; litSide: "left" | "right" },
): void {
  const { top, left, right, ridge } = peak;
  const height = shape.base - top[1];
  const snow = stage.seen(stage.land.snow, shape.distance * 0.75);
  const shade = stage.seen(mix(stage.land.snow, [120, 150, 205], 0.45), shape.distance * 0.75);
  const side = (slope: readonly Point[]): Point[] => {
    const [one = top, two = top] = slope;
    const [ridgeOne = top, ridgeTwo = top] = ridge;
    return [
      top,
      one,
      two,
      [mixed(two[0], ridgeTwo[0], 0.3), two[1] - height * 0.07],
      [mixed(two[0], ridgeTwo[0], 0.55), two[1] + height * 0.035],
      [mixed(one[0], ridgeTwo[0], 0.7), one[1] + height * 0.06],
      ridgeTwo,
      ridgeOne,
    ];
  };
  pen.fill(polygon(side(left)), flat(litSide === "left" ? snow : shade));
  pen.fill(polygon(side(right)), flat(litSide === "right" ? snow : shade));
}

function mixed(one: number, other: number, share: number): number {
  return one + (other - one) * share;
}
