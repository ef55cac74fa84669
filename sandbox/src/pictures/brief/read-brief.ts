import { createRandom, type Random, seedOf } from "../../random.ts";
import { DEFAULT_SETTING_OF } from "../subjects/habitat.ts";
import type { Brief, Hour, Season, Setting, Style, Weather } from "./brief.ts";
import type { Meaning } from "./meaning.ts";
import { type Reading, readWords, type Saying } from "./read-words.ts";
import { readSubjects } from "./wanted-subjects.ts";

type BriefSource = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** Distinguishes results of the same prompt: the picture's index in its request, or a video's seed. */
  readonly variation: string;
};

type ValueOf<Kind extends Meaning["kind"]> = Extract<Meaning, { kind: Kind }>["value"];

const MAX_CAPTION_CHARACTERS = 200;

/** The same prompt and variation always give the same brief. */
export function readBrief({ prompt, negativePrompt, variation }: BriefSource): Brief {
  const seed = seedOf(`${prompt}\n${variation}`);
  const random = createRandom(seed ^ 0x5eed);
  const refused = readWords(negativePrompt);
  const reading = withoutWords(readWords(prompt), [...refused.said, ...refused.denied]);
  const unwanted = new Set(
    [...reading.denied, ...refused.said, ...refused.denied]
      .flatMap(({ meanings }) => meanings)
      .filter((meaning) => !("isHint" in meaning))
      .map(({ value }) => String(value)),
  );
  const values = <Kind extends Meaning["kind"]>(kind: Kind): ValueOf<Kind>[] =>
    valuesOf(reading, kind).filter((value) => !unwanted.has(String(value)));

  const setting = values("setting");
  const subjects = readSubjects(reading, unwanted, setting.includes("studio"));
  const weather = new Set<Weather>(values("weather"));
  const mood = values("mood")[0] ?? null;
  const wanted = new Set(values("extra"));
  const place = chooseSetting(
    setting,
    subjects.figures.map(({ name }) => name),
    { random, unwanted },
  );
  const draws = { random, hours: values("hour"), mood, wanted, weather };
  const hour = place === "space" ? "night" : chooseHour(draws);
  if (weather.size === 0 && random() < 0.6 && !unwanted.has("clouds")) weather.add("clouds");
  return {
    seed,
    caption: [...prompt.replace(/\s+/g, " ").trim()].slice(0, MAX_CAPTION_CHARACTERS).join(""),
    setting: place,
    hour,
    weather,
    season: chooseSeason(values("season"), random),
    mood,
    style: chooseStyle(values("style")),
    colours: subjects.freeColours,
    landColour: subjects.landColour,
    hairColour: subjects.hairColour,
    birds: subjects.birds,
    subjects: subjects.figures,
    counted: subjects.counted,
    wanted,
    unwanted,
  };
}

/** A refused word means nothing, not even a place: a forest by a river without the river is a forest. */
function withoutWords(reading: Reading, refused: readonly Saying[]): Reading {
  // Each word has its own list object, so lists identify words.
  const words = new Set(refused.map(({ meanings }) => meanings));
  return { ...reading, said: reading.said.filter(({ meanings }) => !words.has(meanings)) };
}

function valuesOf<Kind extends Meaning["kind"]>({ said }: Reading, kind: Kind): ValueOf<Kind>[] {
  const isOfKind = (meaning: Meaning): meaning is Extract<Meaning, { kind: Kind }> => meaning.kind === kind;
  return said.flatMap(({ meanings }) => meanings.filter(isOfKind).map(({ value }) => value as ValueOf<Kind>));
}

/** Of two places, the first in this list wins: it can show the other behind it. */
const NEARER: readonly Setting[] = [
  "underwater",
  "moon",
  "space",
  "room",
  "beach",
  "lake",
  "arctic",
  "desert",
];
const BY_LOT: readonly [Setting, ...Setting[]] = [
  "mountains",
  "hills",
  "sea",
  "lake",
  "forest",
  "city",
  "desert",
];

function chooseSetting(
  named: readonly Setting[],
  figures: readonly string[],
  { random, unwanted }: { readonly random: Random; readonly unwanted: ReadonlySet<string> },
): Setting {
  const isWanted = (setting: Setting) => !unwanted.has(setting);
  const places: readonly Setting[] = named.filter((setting) => setting !== "studio");
  const nearest = NEARER.find((setting) => places.includes(setting));
  const first = nearest ?? places[0] ?? named[0];
  if (first !== undefined) return first;
  for (const name of figures) {
    const usual = DEFAULT_SETTING_OF[name]?.filter(isWanted) ?? [];
    if (usual.length > 0) return usual[Math.floor(random() * usual.length)] ?? "hills";
  }
  const left = BY_LOT.filter(isWanted);
  return left[Math.floor(random() * left.length)] ?? BY_LOT[0];
}

type HourDraw = {
  readonly random: Random;
  readonly hours: readonly Hour[];
  readonly mood: Brief["mood"];
  readonly wanted: Brief["wanted"];
  readonly weather: ReadonlySet<Weather>;
};

function chooseHour({ random, hours, mood, wanted, weather }: HourDraw): Hour {
  const [named] = hours;
  const lot = random();
  if (named !== undefined) return named;
  if (wanted.has("moon") || wanted.has("stars") || wanted.has("fireflies") || wanted.has("lanterns"))
    return "night";
  if (weather.has("aurora") || mood === "neon") return "night";
  if (mood === "dark") return lot < 0.6 ? "night" : "dusk";
  if (mood === "happy" || weather.has("rainbow") || weather.has("rain")) return "day";
  if (mood === "retro" || mood === "epic") return "golden";
  if (lot < 0.36) return "golden";
  if (lot < 0.68) return "day";
  if (lot < 0.84) return "dawn";
  return lot < 0.93 ? "dusk" : "night";
}

function chooseSeason(named: readonly Season[], random: Random): Season {
  const lot = random();
  return named[0] ?? (lot < 0.6 ? "summer" : lot < 0.8 ? "spring" : "autumn");
}

/** Everything is `flat` anyway, so any other style says more. */
function chooseStyle(named: readonly Style[]): Style {
  return named.find((style) => style !== "flat") ?? "flat";
}
