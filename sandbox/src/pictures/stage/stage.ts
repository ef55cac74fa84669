import type { SKRSContext2D } from "@napi-rs/canvas";
import { createRandom, type Random, seedOf } from "../../random.ts";
import type { Brief, Extra, Setting } from "../brief.ts";
import { litBy, mix, type Rgb } from "../colour.ts";
import { LAND_OF, type LandColours } from "./land-colours.ts";
import { type Light, lightOf } from "./light.ts";

/**
 * Where a picture is drawn: its size in units (the shorter side is 1000), its light, and random numbers for what the
 * brief leaves open.
 */
export type Stage = {
  readonly width: number;
  readonly height: number;
  /** Height at which sky and ground meet. */
  readonly horizon: number;
  readonly brief: Brief;
  readonly light: Light;
  readonly land: LandColours;
  /** Sun or moon. Drawn only if wanted, but everything is lit from there. */
  readonly orb: { readonly x: number; readonly y: number; readonly radius: number };
  /** Each element has its own sequence, so that removing one leaves the others unchanged. */
  random(element: string): Random;
  wants(extra: Extra): boolean;
  refuses(what: string): boolean;
  /** A colour as it looks at a distance: 0 is here, 1 is lost in the haze. */
  seen(colour: Rgb, distance: number): Rgb;
};

/** One layer of the picture; layers are listed back to front. A video paints still layers only once. */
export type Layer = {
  /** How much of a camera move it follows: 0 is as far as the stars, 1 is where the figures are. */
  readonly depth: number;
  readonly isMoving: boolean;
  paint(pen: Pen, seconds: number): void;
  /** Moves a still layer as a whole, which costs a video next to nothing; at 0 seconds it is at rest. */
  sway?(seconds: number): Sway;
};

type Sway = { readonly x: number; readonly alpha: number };

export type Paint = {
  readonly colour: Rgb;
  readonly alpha?: number;
  /** A gradient to another colour between two points. */
  readonly into?: {
    readonly colour: Rgb;
    readonly alpha?: number;
    readonly from: readonly [number, number];
    readonly to: readonly [number, number];
  };
};

/** Draws in a style: the same shapes are painted, inked or glow. */
export type Pen = {
  readonly context: SKRSContext2D;
  fill(path: Path2DLike, paint: Paint): void;
  line(path: Path2DLike, paint: Paint & { readonly width: number }): void;
  /** Light, haze and glitter; skipped by styles that only have shapes. */
  soft(draw: (context: SKRSContext2D) => void): void;
};

type Path2DLike = import("@napi-rs/canvas").Path2D;

/** Portrait formats have a lower horizon, so that the sky does not shrink to a stripe. */
const HORIZON_OF: Readonly<Record<Setting, number>> = {
  mountains: 0.66,
  hills: 0.6,
  forest: 0.72,
  sea: 0.56,
  beach: 0.46,
  space: 1.1,
};

export function createStage(brief: Brief, size: { readonly width: number; readonly height: number }): Stage {
  const short = Math.min(size.width, size.height);
  const width = (size.width / short) * 1000;
  const height = (size.height / short) * 1000;
  const random = (element: string) => createRandom(brief.seed ^ seedOf(element));
  const refuses = (what: string) => brief.unwanted.has(what);
  const lots = random("stage");
  const light = onStage(lightOf(brief, lots()), brief.setting);
  const horizon = height * (HORIZON_OF[brief.setting] + (lots() - 0.5) * 0.05);
  return {
    width,
    height,
    horizon,
    brief,
    light,
    land: LAND_OF[brief.season],
    orb: placeOrb({ brief, width, horizon, lots }),
    random,
    wants: (extra) => brief.wanted.has(extra) && !refuses(extra),
    refuses,
    seen: (colour, distance) => mix(litBy(colour, light.ambient), light.haze, distance),
  };
}

export function hasSky({ brief }: Stage): boolean {
  return brief.setting !== "space";
}

/** Without air, colours are hardly tinted. */
function onStage(light: Light, setting: Setting): Light {
  return setting === "space" ? { ...light, ambient: mix(light.ambient, [255, 255, 255], 0.75) } : light;
}

/** Low at both ends of the day, and off centre, at one of the thirds. */
function placeOrb(input: { brief: Brief; width: number; horizon: number; lots: Random }): Stage["orb"] {
  const { brief, width, horizon, lots } = input;
  const side = lots() < 0.5 ? 0.3 : 0.7;
  const heights: Readonly<Record<Brief["hour"], number>> = {
    dawn: 0.74,
    day: 0.3,
    golden: 0.78,
    dusk: 0.9,
    night: 0.32,
  };
  return {
    x: width * (side + (lots() - 0.5) * 0.12),
    y: horizon * heights[brief.hour],
    radius: brief.hour === "golden" ? 92 : brief.hour === "night" ? 58 : 66,
  };
}
