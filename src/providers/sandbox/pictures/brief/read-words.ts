import { ENGLISH_OF } from "./foreign-words.ts";
import type { Meaning } from "./meaning.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** A place in the text where something is said; `isPlural` for `cats`. */
export type Saying = {
  readonly meanings: readonly Meaning[];
  readonly at: number;
  readonly isPlural: boolean;
};

/** Longer prompts say nothing new after this many words, and cost the same. */
const MAX_WORDS = 400;
const MAX_PHRASE_WORDS = 3;
const NEGATIONS = new Set(["no", "without", "not", "except", "minus"]);
/** `no clouds or birds`: how far a negation reaches. */
const NEGATION_REACH_WORDS = 4;
const CONTRASTS = new Set(["with", "but", "and", "just", "only", "in", "at", "on"]);

export type Reading = { readonly said: readonly Saying[]; readonly denied: readonly Saying[] };

export function readWords(text: string): Reading {
  const words = splitWords(text);
  const said: Saying[] = [];
  const denied: Saying[] = [];
  let deniedUntil = -1;
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? "";
    if (NEGATIONS.has(word)) deniedUntil = at + NEGATION_REACH_WORDS;
    else if (CONTRASTS.has(word)) deniedUntil = -1;
    const found = phraseAt(words, at);
    if (found !== null) {
      const saying = { meanings: found.meanings, at, isPlural: found.isPlural };
      (at <= deniedUntil ? denied : said).push(saying);
    }
    at += found?.length ?? 1;
  }
  return { said, denied };
}

function splitWords(text: string): string[] {
  return text
    .slice(0, 8000)
    .replace(/[äöü]/g, (letter) => `${{ ä: "a", ö: "o", ü: "u" }[letter]}e`)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word !== "s")
    .slice(0, MAX_WORDS);
}

type Phrase = { readonly meanings: readonly Meaning[]; readonly length: number; readonly isPlural: boolean };

/** The longest entry of the vocabulary that begins here. */
function phraseAt(words: readonly string[], at: number): Phrase | null {
  for (let length = MAX_PHRASE_WORDS; length > 0; length--) {
    const taken = words.slice(at, at + length);
    const last = taken.at(-1);
    if (taken.length < length || last === undefined) continue;
    const start = taken.slice(0, -1);
    for (const form of [last, ...singularsOf(last)]) {
      const phrase = [...start, form].join(" ");
      const meanings = VOCABULARY.get(phrase) ?? VOCABULARY.get(ENGLISH_OF.get(phrase) ?? "");
      if (meanings !== undefined) return { meanings, length, isPlural: form !== last };
    }
  }
  return null;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  men: "man",
  women: "woman",
  children: "child",
  mice: "mouse",
  geese: "goose",
  wolves: "fox",
  wolf: "fox",
  leaves: "leaf",
  knives: "knife",
  loaves: "bread",
  cacti: "cactus",
};

function singularsOf(word: string): string[] {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return [irregular];
  if (!word.endsWith("s") || word.length < 4) return [];
  const forms = [word.slice(0, -1)];
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  return forms;
}
