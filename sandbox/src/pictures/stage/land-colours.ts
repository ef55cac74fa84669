import type { Season } from "../brief.ts";
import { hex, type Rgb } from "../colour.ts";

/** Colours of plants and ground in white light. */
export type LandColours = {
  readonly grass: Rgb;
  readonly grassLight: Rgb;
  readonly leaf: Rgb;
  readonly leafLight: Rgb;
  readonly conifer: Rgb;
  readonly rock: Rgb;
  readonly rockLight: Rgb;
  readonly snow: Rgb;
  readonly sand: Rgb;
  readonly wood: Rgb;
  readonly water: Rgb;
  readonly flowers: readonly [Rgb, ...Rgb[]];
};

const STONE = {
  rock: hex("#5f6b8a"),
  rockLight: hex("#8f9cb8"),
  snow: hex("#f5f9fe"),
  sand: hex("#efcd94"),
  wood: hex("#6f4a35"),
  water: hex("#2f83b8"),
};

const FLOWERS: readonly [Rgb, ...Rgb[]] = [
  hex("#f25f5c"),
  hex("#ffd23f"),
  hex("#ffffff"),
  hex("#b58af0"),
  hex("#ff8fb1"),
];

export const LAND_OF: Readonly<Record<Season, LandColours>> = {
  spring: {
    ...STONE,
    grass: hex("#6cba5c"),
    grassLight: hex("#a9dc7a"),
    leaf: hex("#f39ab8"),
    leafLight: hex("#ffc9da"),
    conifer: hex("#3f8d6a"),
    flowers: [hex("#ff8fb1"), hex("#ffffff"), hex("#ffd75e"), hex("#b08cf0")],
  },
  summer: {
    ...STONE,
    grass: hex("#4fa052"),
    grassLight: hex("#98cc5e"),
    leaf: hex("#3c8f4f"),
    leafLight: hex("#83c057"),
    conifer: hex("#2b6f5a"),
    flowers: FLOWERS,
  },
  autumn: {
    ...STONE,
    grass: hex("#b98f3e"),
    grassLight: hex("#e2c064"),
    leaf: hex("#d4602c"),
    leafLight: hex("#f2a541"),
    conifer: hex("#4a6b4c"),
    flowers: [hex("#f2a541"), hex("#d4602c"), hex("#f7e3a1")],
  },
  winter: {
    ...STONE,
    grass: hex("#d7e5f2"),
    grassLight: hex("#f6fafe"),
    leaf: hex("#c8dbea"),
    leafLight: hex("#f4f9fd"),
    conifer: hex("#3c6670"),
    water: hex("#7fb2d0"),
    flowers: [hex("#d94f4f"), hex("#ffffff")],
  },
};
