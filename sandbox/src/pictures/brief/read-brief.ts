import { createRandom, pickOne, type Random, seedOf } from "../../random.ts";
import type { Brief, Hour, Season, Setting, Style, WantedSubject, Weather } from "../brief.ts";
import type { Rgb } from "../colour.ts";
import { SUBJECTS } from "../subjects/figure-list.ts";
import { COLOURS, COUNTS, type Kind, VOCABULARY } from "./vocabulary.ts";

type BriefSource = {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** Distinguishes results of the same prompt: the picture's index in its request, or a video's seed. */
  readonly variation: string;
};

const MAX_CAPTION_CHARACTERS = 200;
const MAX_WORDS = 400;
const MAX_SUBJECTS = 3;
/** Plural without a number. */
const PLURAL_COUNT = 3;

const BY_LOT = ["mountains", "hills", "sea", "forest"] as const;
const SEASONS_BY_LOT = ["summer", "summer", "summer", "spring", "autumn"] as const;

/** The same prompt and variation always give the same brief. */
export function readBrief({ prompt, negativePrompt, variation }: BriefSource): Brief {
  const seed = seedOf(`${prompt}\n${variation}`);
  const random = createRandom(seed ^ 0x5eed);
  const refused = wordsOf(negativePrompt);
  const words = wordsOf(prompt).filter(({ one }) => !refused.some((other) => other.one === one));
  const unwanted = new Set((Object.keys(VOCABULARY) as Kind[]).flatMap((kind) => valuesIn(refused, kind)));
  const values = (kind: Kind) => valuesIn(words, kind).filter((value) => !unwanted.has(value));
  const subjects = subjectsIn(words, unwanted);
  const wanted = new Set(values("extra"));
  const weather = new Set(values("weather") as Weather[]);
  const [setting = subjects.map(({ name }) => SUBJECTS[name]?.home)[0] ?? pickOne(random, BY_LOT)] = values(
    "setting",
  ) as Setting[];
  const hour = chooseHour(values("hour")[0] as Hour | undefined, { random, setting, wanted });
  if (weather.size === 0 && random() < 0.6 && !unwanted.has("clouds")) weather.add("clouds");
  return {
    seed,
    caption: [...prompt.replace(/\s+/g, " ").trim()].slice(0, MAX_CAPTION_CHARACTERS).join(""),
    setting,
    hour,
    weather,
    season: (values("season")[0] as Season | undefined) ?? pickOne(random, SEASONS_BY_LOT),
    style: (values("style")[0] as Style | undefined) ?? "flat",
    subjects,
    wanted,
    unwanted,
  };
}

/** A word as it is written, and in the singular. */
type Word = { readonly written: string; readonly one: string };

function wordsOf(text: string): Word[] {
  const written =
    text
      .slice(0, 8000)
      .toLowerCase()
      .match(/[a-z]+|\d+/g) ?? [];
  const known = (word: string) => Object.values(VOCABULARY).some((meanings) => meanings.has(word));
  return written.slice(0, MAX_WORDS).map((word) => {
    const forms = [word, word.replace(/s$/, ""), word.replace(/es$/, "")];
    return { written: word, one: forms.find(known) ?? word };
  });
}

function valuesIn(words: readonly Word[], kind: Kind): string[] {
  return words.flatMap(({ one }) => VOCABULARY[kind].get(one) ?? []);
}

/** With the number and the colour directly before them. */
function subjectsIn(words: readonly Word[], unwanted: ReadonlySet<string>): WantedSubject[] {
  const subjects = new Map<string, WantedSubject>();
  let count: number | undefined;
  let colour: Rgb | undefined;
  for (const { written, one } of words) {
    const [name] = VOCABULARY.subject.get(one) ?? [];
    if (name === undefined) {
      const isBeside = COUNTS.has(written) || COLOURS.has(written);
      count = COUNTS.get(written) ?? (isBeside ? count : undefined);
      colour = COLOURS.get(written) ?? (isBeside ? colour : undefined);
      continue;
    }
    const usual = written === one ? 1 : PLURAL_COUNT;
    const isNew = !subjects.has(name) && subjects.size < MAX_SUBJECTS && !unwanted.has(name);
    if (isNew) subjects.set(name, { name, count: count ?? usual, colour: colour ?? null });
    [count, colour] = [undefined, undefined];
  }
  return [...subjects.values()];
}

function chooseHour(
  named: Hour | undefined,
  by: { readonly random: Random; readonly setting: Setting; readonly wanted: ReadonlySet<string> },
): Hour {
  const lot = by.random();
  if (by.setting === "space") return "night";
  if (named !== undefined) return named;
  if (by.wanted.has("moon") || by.wanted.has("stars")) return "night";
  if (lot < 0.4) return "golden";
  if (lot < 0.75) return "day";
  return lot < 0.9 ? "dawn" : "dusk";
}
