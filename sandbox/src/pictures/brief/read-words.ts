import { ENGLISH_OF } from "./foreign-words.ts";
import type { Meaning } from "./meaning.ts";
import { VOCABULARY } from "./vocabulary.ts";

/** A meaningful word or phrase at an index in the text; `isPlural` for `cats`. */
export type Saying = {
  readonly meanings: readonly Meaning[];
  readonly at: number;
  /** Index of the word after it. */
  readonly end: number;
  readonly isPlural: boolean;
};

/** Longer prompts say nothing new after this many words, so the rest is ignored. */
const MAX_WORDS = 400;
const MAX_PHRASE_WORDS = 3;
const NEGATIONS = new Set(["no", "without", "not", "except", "minus"]);
/** `no clouds or birds`: how far a negation reaches, unless a comma or a full stop ends it. */
const NEGATION_REACH_WORDS = 4;
const CONTRASTS = new Set(["with", "but", "and", "just", "only", "in", "at", "on"]);
/** `no people, or dogs`: these extend a negation beyond a comma. */
const CONTINUATIONS = new Set(["or", "nor"]);

export type Reading = { readonly said: readonly Saying[]; readonly denied: readonly Saying[] };

export function readWords(text: string): Reading {
  const { words, pauses } = splitWords(text);
  const said: Saying[] = [];
  const denied: Saying[] = [];
  let deniedUntil = -1;
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? "";
    if (NEGATIONS.has(word)) deniedUntil = at + NEGATION_REACH_WORDS;
    else if (CONTRASTS.has(word)) deniedUntil = -1;
    else if (pauses.has(at) && !CONTINUATIONS.has(word)) deniedUntil = -1;
    const found = phraseAt(words, at);
    if (found !== null) {
      const saying = { meanings: found.meanings, at, end: at + found.length, isPlural: found.isPlural };
      (at <= deniedUntil ? denied : said).push(saying);
    }
    at += found?.length ?? 1;
  }
  return { said, denied };
}

/** The words, and the indexes of those that begin a new clause. */
function splitWords(text: string): { words: string[]; pauses: ReadonlySet<number> } {
  const parts = text
    .slice(0, 8000)
    .replace(/[äöü]/g, (letter) => `${{ ä: "a", ö: "o", ü: "u" }[letter]}e`)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+|[,.;:!?\n、。]/gu);
  const words: string[] = [];
  const pauses = new Set<number>();
  for (const [part] of parts) {
    if (words.length >= MAX_WORDS) break;
    if (/^[\p{L}\p{N}]/u.test(part)) {
      if (part !== "s") words.push(part);
    } else pauses.add(words.length);
  }
  return { words, pauses };
}

type Phrase = { readonly meanings: readonly Meaning[]; readonly length: number; readonly isPlural: boolean };

/** The longest vocabulary entry that begins here. */
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
