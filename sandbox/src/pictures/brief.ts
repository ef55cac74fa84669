import type { Rgb } from "./colour.ts";

/** What a picture should show, as far as the prompt was understood. Everything left open is chosen at random. */

export const SETTINGS = ["mountains", "hills", "forest", "sea", "beach", "space"] as const;
export type Setting = (typeof SETTINGS)[number];

export type Hour = "dawn" | "day" | "golden" | "dusk" | "night";

export type Weather = "clouds" | "rain" | "snow" | "fog";

export type Season = "spring" | "summer" | "autumn" | "winter";

export const STYLES = ["flat", "line", "pixel"] as const;
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
  | "islands"
  | "text";

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
  readonly style: Style;
  readonly subjects: readonly WantedSubject[];
  /** Requested by name. */
  readonly wanted: ReadonlySet<string>;
  /** Asked to be left out. */
  readonly unwanted: ReadonlySet<string>;
};
