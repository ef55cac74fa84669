import type { Clues } from "./clues.ts";
import { directionOf, FROM_WORDS, TO_WORDS } from "./directions.ts";
import { identifierWords } from "./identifier.ts";
import { isWholeWord, placesOf, wordBefore } from "./mention.ts";

/** Which option of a list a prompt says; what one argument took, another does not get. */
export type OptionReader = {
  /** Undefined when the prompt says none. */
  take(name: string, options: readonly unknown[]): unknown;
  has(name: string, options: readonly unknown[]): boolean;
  /** How many of them the prompt says that nobody took. */
  count(options: readonly unknown[]): number;
};

type Mention = {
  readonly option: unknown;
  readonly at: number;
  readonly end: number;
  readonly before: string;
  /** In the very letters of the option: "US" and not "us". */
  readonly isExact: boolean;
};

/** Of all lists together, and of one option in the prompt: a schema can hold many, a prompt little else. */
const MAX_OPTIONS_READ = 10_000;
const MAX_OCCURRENCES = 8;
const MAX_MENTIONS = 64;
/** What it weighs, in characters, that a comma or an "and" stands between a name and an option. */
const PAUSE_WEIGHT = 40;

/** Are options, too (`in`, `IT`, `US`), but rarely meant as such where they stand in small letters. */
const SMALL_WORDS = new Set(
  "a an and are as at be by do for go he i if in is it me my no not of on or so the to up us we".split(" "),
);
/** Before what is not wanted: "not low", "from draft to final". */
const REJECTING = new Set("from von aus not no than without never nicht".split(" "));

export function createOptionReader(clues: Clues): OptionReader {
  const text = clues.text.toLowerCase();
  const known = new Map<readonly unknown[], readonly Mention[]>();
  const takenBy = new Map<number, string>();
  let left = MAX_OPTIONS_READ;
  let wholePrompt: OptionReader | undefined;

  function elsewhere(): OptionReader {
    wholePrompt ??= createOptionReader({ ...clues, text: clues.prompt });
    return wholePrompt;
  }

  function mentionsOf(options: readonly unknown[]): readonly Mention[] {
    const before = known.get(options);
    if (before !== undefined) return before;
    const read = options.slice(0, left);
    left -= read.length;
    const found: Mention[] = [];
    for (const option of read) {
      if (found.length >= MAX_MENTIONS) break;
      found.push(...mentionsOfOption(option, text, clues.text));
    }
    const isInside = (one: Mention, other: Mention) =>
      other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at;
    const outermost = found
      .filter((mention) => !found.some((other) => isInside(mention, other)))
      .sort((one, other) => Number(other.isExact) - Number(one.isExact) || one.at - other.at);
    known.set(options, outermost);
    return outermost;
  }

  function labelled(name: string, options: readonly unknown[]): unknown {
    const said = clues.labelled.get(name.toLowerCase())?.toLowerCase();
    if (said === undefined) return undefined;
    return options.slice(0, MAX_OPTIONS_READ).find((option) => writtenOf(option).toLowerCase() === said);
  }

  function choose(name: string, options: readonly unknown[]): Mention | undefined {
    const mentions = mentionsOf(options);
    const untaken = mentions.filter(({ at }) => !takenBy.has(at));
    // A list of things may say the same of each: the unit of every item.
    const free = untaken.length > 0 ? untaken : mentions.filter(({ at }) => takenBy.get(at) === name);
    if (free.length < 2) return free[0];
    const words = identifierWords(name);
    const after = (small: readonly string[]) => free.find(({ before }) => small.includes(before));
    const direction = directionOf(words);
    const directed =
      direction === "from" ? after(FROM_WORDS) : direction === "to" ? after(TO_WORDS) : undefined;
    const wanted = free.filter(({ before }) => !REJECTING.has(before));
    return directed ?? nearest(words.join(" "), wanted, text) ?? wanted[0] ?? free[0];
  }

  return {
    take(name, options) {
      const said = labelled(name, options);
      if (said !== undefined) return said;
      const mention = choose(name, options);
      if (mention !== undefined) takenBy.set(mention.at, name);
      // What one of several tools is told may stand behind the words of another: "…, all in celsius".
      else if (clues.prompt !== clues.text) return elsewhere().take(name, options);
      return mention?.option;
    },
    has: (name, options) => (labelled(name, options) ?? choose(name, options)) !== undefined,
    count: (options) => mentionsOf(options).filter(({ at }) => !takenBy.has(at)).length,
  };
}

function writtenOf(option: unknown): string {
  return typeof option === "string" ? option : typeof option === "number" ? String(option) : "";
}

/** `in_progress` may be said as "in progress", and `hour` in "3 hours". */
function mentionsOfOption(option: unknown, text: string, written: string): Mention[] {
  const own = writtenOf(option);
  const phrase = own.toLowerCase();
  const spoken = phrase.replace(/[_-]+/g, " ");
  const found: Mention[] = [];
  for (const form of new Set([phrase, spoken, ...(phrase.length > 2 ? [`${phrase}s`] : [])])) {
    for (const at of placesOf(form, text, MAX_OCCURRENCES)) {
      const end = at + form.length;
      const isExact = form === phrase && written.slice(at, end) === own;
      if (!isExact || own === phrase) if (SMALL_WORDS.has(form) && !isMeant(text, at, end)) continue;
      found.push({ option, at, end, before: wordBefore(text, at), isExact });
    }
    if (found.length > 0) break;
  }
  return found;
}

/** A small word in quotes, or after a number: "12 in". */
function isMeant(text: string, at: number, end: number): boolean {
  return /\d\s?$/.test(text.slice(Math.max(0, at - 2), at)) || /^["'`”]/.test(text.slice(end, end + 1));
}

/** The option that stands closest to the argument's own name, in the same part of a sentence. */
function nearest(phrase: string, mentions: readonly Mention[], text: string): Mention | undefined {
  const at = phrase.length < 3 ? -1 : text.indexOf(phrase);
  const end = at + phrase.length;
  if (at < 0 || !isWholeWord(text, at, end)) return undefined;
  const gapOf = (mention: Mention) => {
    const between = mention.at >= end ? text.slice(end, mention.at) : text.slice(mention.end, at);
    return between.length + (/[,.;\n]|\band\b/.test(between) ? PAUSE_WEIGHT : 0);
  };
  return mentions.toSorted((one, other) => gapOf(one) - gapOf(other))[0];
}
