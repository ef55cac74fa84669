import type { Extra, Hour, Season, Setting, Style, Weather } from "../brief.ts";
import { hex, type Rgb } from "../colour.ts";
import { SUBJECTS } from "../subjects/figure-list.ts";

type Lists<Value extends string> = Readonly<Partial<Record<Value, string>>>;

const SETTING_WORDS: Lists<Setting> = {
  mountains: "mountain alps peak fjord",
  hills: "hill meadow field countryside garden park village farm",
  forest: "forest wood woodland jungle",
  sea: "sea ocean cliff harbour harbor",
  beach: "beach coast shore island tropical",
  space: "space galaxy nebula planet cosmos",
};
const HOUR_WORDS: Lists<Hour> = {
  dawn: "dawn sunrise morning",
  day: "day noon afternoon sunny",
  golden: "sunset golden evening",
  dusk: "dusk twilight",
  night: "night midnight moonlit moonlight starry",
};
const WEATHER_WORDS: Lists<Weather> = {
  clouds: "cloud cloudy",
  rain: "rain rainy storm stormy",
  snow: "snow snowy christmas",
  fog: "fog foggy mist misty haze",
};
const SEASON_WORDS: Lists<Season> = {
  spring: "spring blossom",
  summer: "summer",
  autumn: "autumn fall",
  winter: "winter snow snowy ice icy christmas",
};
const STYLE_WORDS: Lists<Style> = {
  line: "sketch drawing outline pencil ink",
  pixel: "pixel pixelated retro",
};
const EXTRA_WORDS: Lists<Extra> = {
  sun: "sun sunset sunrise",
  moon: "moon moonlit moonlight",
  stars: "star starry",
  birds: "bird gull seagull",
  trees: "tree pine forest",
  palms: "palm tropical",
  flowers: "flower wildflower meadow garden",
  grass: "grass meadow",
  river: "river stream",
  road: "road path street",
  islands: "island",
  text: "text caption word writing",
};

export const COLOURS: ReadonlyMap<string, Rgb> = new Map(
  Object.entries({
    red: "#d8432f",
    orange: "#ee7f2d",
    yellow: "#f5c83a",
    green: "#3f9a57",
    blue: "#2f6fd0",
    purple: "#7f4fc0",
    pink: "#ef7fa5",
    brown: "#8a5a3b",
    white: "#f7f5f0",
    black: "#2a2b36",
    grey: "#8d93a0",
    gray: "#8d93a0",
    ginger: "#e08a3c",
    golden: "#e3b23c",
  }).map(([name, code]) => [name, hex(code)]),
);

export const COUNTS: ReadonlyMap<string, number> = new Map(
  "two three four five six".split(" ").flatMap((word, at): [string, number][] => [
    [word, at + 2],
    [String(at + 2), at + 2],
  ]),
);

function meaningsOf(
  lists: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, readonly string[]> {
  const meanings = new Map<string, string[]>();
  for (const [value, words = ""] of Object.entries(lists)) {
    for (const word of words.split(" ")) meanings.set(word, [...(meanings.get(word) ?? []), value]);
  }
  return meanings;
}

/** What a word says about a picture, by what it says it about. */
export const VOCABULARY = {
  setting: meaningsOf(SETTING_WORDS),
  hour: meaningsOf(HOUR_WORDS),
  weather: meaningsOf(WEATHER_WORDS),
  season: meaningsOf(SEASON_WORDS),
  style: meaningsOf(STYLE_WORDS),
  extra: meaningsOf(EXTRA_WORDS),
  subject: meaningsOf(Object.fromEntries(Object.entries(SUBJECTS).map(([name, { words }]) => [name, words]))),
};
export type Kind = keyof typeof VOCABULARY;
