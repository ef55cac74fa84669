import type { Rgb } from "../colour.ts";

/** What a picture shall show, as far as its words could be read. Everything that they leave open is drawn by lot. */

export const SETTINGS = [
  "mountains",
  "hills",
  "forest",
  "sea",
  "beach",
  "lake",
  "city",
  "desert",
  "arctic",
  "space",
  "moon",
  "underwater",
  "room",
  "studio",
] as const;
export type Setting = (typeof SETTINGS)[number];

export type Hour = "dawn" | "day" | "golden" | "dusk" | "night";
export type Weather = "clouds" | "overcast" | "rain" | "snow" | "fog" | "storm" | "rainbow" | "aurora";
export type Season = "spring" | "summer" | "autumn" | "winter";
export type Mood =
  | "calm"
  | "happy"
  | "dark"
  | "dreamy"
  | "epic"
  | "neon"
  | "retro"
  | "pastel"
  | "mono"
  | "sepia";

export const STYLES = [
  "flat",
  "poster",
  "watercolour",
  "oil",
  "pixel",
  "line",
  "neon",
  "lowpoly",
  "glass",
  "isometric",
  "abstract",
  "pattern",
  "logo",
] as const;
export type Style = (typeof STYLES)[number];

/** Small things that a scene has by itself, and that words can add or take away. */
export type Extra =
  | "sun"
  | "moon"
  | "stars"
  | "birds"
  | "trees"
  | "palms"
  | "flowers"
  | "grass"
  | "river"
  | "road"
  | "cacti"
  | "pyramids"
  | "boats"
  | "islands"
  | "houses"
  | "lanterns"
  | "fireflies"
  | "petals"
  | "leaves"
  | "text"
  | "grain"
  | "frame"
  | Look;

/** How somebody looks whose portrait it is. */
export type Look = "man" | "beard" | "glasses" | "hair";

export type WantedSubject = {
  readonly name: string;
  readonly count: number;
  /** The colour that was named with it. */
  readonly colour: Rgb | null;
};

export type Brief = {
  readonly seed: number;
  readonly caption: string;
  readonly setting: Setting;
  readonly hour: Hour;
  readonly weather: ReadonlySet<Weather>;
  readonly season: Season;
  readonly mood: Mood | null;
  readonly style: Style;
  /** Named without a thing to go with, strongest first. */
  readonly colours: readonly Rgb[];
  /** Of grass, leaves and rock, where one is named for them. */
  readonly landColour: Rgb | null;
  /** Of everybody, where one is named for it. */
  readonly hairColour: Rgb | null;
  /** How many fly, where that is said. */
  readonly birds: number | null;
  readonly subjects: readonly WantedSubject[];
  /** Things and extras that were given a number: no more of them are strewn about. */
  readonly counted: ReadonlySet<string>;
  /** Asked for by name. */
  readonly wanted: ReadonlySet<Extra>;
  /** Asked to be left out. */
  readonly unwanted: ReadonlySet<string>;
};
