import type { Rgb } from "../colour.ts";

/** What a picture should show, as far as the prompt was understood. Everything left open is chosen at random. */

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
  "abstract",
  "pattern",
  "logo",
] as const;
export type Style = (typeof STYLES)[number];

/** Small things that a scene has by default, and that a prompt can add or remove. */
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

/** Features of the person in a portrait. */
export type Look = "man" | "beard" | "glasses" | "hair";

export type WantedSubject = {
  readonly name: string;
  readonly count: number;
  /** The colour named with it. */
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
  /** Colours named without an object, strongest first. */
  readonly colours: readonly Rgb[];
  /** Colour named for grass, leaves and rock; null if none. */
  readonly landColour: Rgb | null;
  /** Colour named for everybody's hair; null if none. */
  readonly hairColour: Rgb | null;
  /** How many birds fly; null if the prompt does not say. */
  readonly birds: number | null;
  readonly subjects: readonly WantedSubject[];
  /** Subjects and extras that were given a number: no more of them are scattered over the picture. */
  readonly counted: ReadonlySet<string>;
  /** Requested by name. */
  readonly wanted: ReadonlySet<Extra>;
  /** Asked to be left out. */
  readonly unwanted: ReadonlySet<string>;
};
