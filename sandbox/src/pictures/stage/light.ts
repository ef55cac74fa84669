import type { Brief, Hour } from "../brief.ts";
import { hex, mix, type Rgb } from "../colour.ts";

/** The colours of a time of day. Everything in the picture is lit by `ambient` and fades into `haze` with distance. */
export type Light = {
  readonly skyTop: Rgb;
  readonly skyMid: Rgb;
  readonly skyLow: Rgb;
  readonly orb: Rgb;
  readonly glow: Rgb;
  readonly cloudLit: Rgb;
  readonly cloudShade: Rgb;
  readonly haze: Rgb;
  readonly ambient: Rgb;
  readonly isNight: boolean;
};

/** Order of `codes`: skyTop skyMid skyLow orb glow cloudLit cloudShade haze ambient. */
function light(codes: string, isNight = false): Light {
  const [skyTop, skyMid, skyLow, orb, glow, cloudLit, cloudShade, haze, ambient] = codes.split(" ").map(hex);
  const white: Rgb = [255, 255, 255];
  return {
    skyTop: skyTop ?? white,
    skyMid: skyMid ?? white,
    skyLow: skyLow ?? white,
    orb: orb ?? white,
    glow: glow ?? white,
    cloudLit: cloudLit ?? white,
    cloudShade: cloudShade ?? white,
    haze: haze ?? white,
    ambient: ambient ?? white,
    isNight,
  };
}

const HOURS: Readonly<Record<Hour, readonly [Light, ...Light[]]>> = {
  dawn: [
    light("#6f8fc4 #f0b9bb #ffe6c8 #fff6dd #ffd7a6 #fff0e6 #d8a6b6 #f4d0c8 #fde4d8"),
    light("#5f74b8 #b9a3d6 #fcd2c6 #fff2e0 #ffc7b0 #ffe6e4 #a992c2 #dcbcd0 #f3dcea"),
  ],
  day: [
    light("#2f86d4 #76bcf0 #d9f0fa #fffdf0 #fff4c8 #ffffff #c2dcf2 #d3e9f5 #fffdf6"),
    light("#1f9ac4 #79cfe0 #e9f8e8 #fffdf0 #fff6cc #ffffff #c4e6ea #d6f0ea #fffdf2"),
    light("#4a8fd0 #9cccec #fbeed6 #fffdf0 #ffefc0 #fffaf0 #cfdcea #e4e6e2 #fff8ea"),
  ],
  golden: [
    light("#54498e #e8795f #ffce85 #fff3c9 #ffb25e #ffc59c #a4587c #f3a57e #ffd2ab"),
    light("#e06a56 #f79d58 #ffe3a6 #fffbe0 #ffc760 #ffdcae #c4604e #f8b67c #ffdab0"),
    light("#3f6c9c #eba27a #ffe1a8 #fff6d4 #ffc272 #ffe0bd #b98088 #f2c29c #ffdfbe"),
  ],
  dusk: [
    light("#1f2a62 #6f5299 #f3908a #ffe0c2 #f79d8e #d692ac #4c4180 #ab7fae #bfa5d2"),
    light("#20365e #4f6f9c #f4b48c #ffe6c8 #f6b38a #c9a2ae #46567e #93939f #b8b8d6"),
  ],
  night: [
    light("#080d2b #15245c #3a5796 #f7f2df #a9bdff #42599a #1a2859 #32498a #6c80bd", true),
    light("#061625 #0e3450 #2f7487 #f4f4e4 #a4e0e8 #3b6f86 #123a52 #28607a #6794ac", true),
    light("#130b30 #2c1a5c #67468f #f8f0e4 #cfb0ff #5c4790 #261a50 #4d3a80 #8678ba", true),
  ],
};

const OVERCAST = light("#66748a #93a0b0 #c6ced4 #f2f4f4 #dfe5ea #d6dce2 #8a96a6 #b6c0c8 #c2cad4");

export function lightOf(brief: Brief, lot: number): Light {
  const hours = HOURS[brief.hour];
  const chosen = hours[Math.floor(lot * hours.length)] ?? hours[0];
  if (brief.weather.has("rain")) return blend(chosen, OVERCAST, 0.5);
  return brief.weather.has("fog") || brief.weather.has("snow") ? blend(chosen, OVERCAST, 0.22) : chosen;
}

function blend(one: Light, other: Light, share: number): Light {
  const dim = one.isNight ? share * 0.35 : share;
  return {
    skyTop: mix(one.skyTop, other.skyTop, dim),
    skyMid: mix(one.skyMid, other.skyMid, dim),
    skyLow: mix(one.skyLow, other.skyLow, dim),
    orb: one.orb,
    glow: mix(one.glow, other.glow, dim),
    cloudLit: mix(one.cloudLit, other.cloudLit, dim),
    cloudShade: mix(one.cloudShade, other.cloudShade, dim),
    haze: mix(one.haze, other.haze, dim),
    ambient: mix(one.ambient, other.ambient, dim),
    isNight: one.isNight,
  };
}
