import { placesOf, wordBefore } from "./mention.ts";

/** Where a text mentions an option. */
export type Mention = {
  readonly option: unknown;
  readonly at: number;
  readonly end: number;
  readonly before: string;
  /** In exactly the option's letter case: "US" and not "us". */
  readonly isExact: boolean;
};

/**
 * Mentions of options, shared by all answers of one request: each list is searched once per text, however many
 * arguments, items, calls and answers need it.
 */
export type OptionBook = {
  /** Mentions in the option's exact letter case first, then by position. */
  mentions(options: readonly unknown[], text: string): readonly Mention[];
  /** The option with this spelling, ignoring case. */
  written(options: readonly unknown[], value: string): unknown;
};

/** For all lists together, and for one option in the prompt: a schema may have many, and a prompt may repeat one. */
const MAX_OPTIONS_READ = 10_000;
const MAX_OCCURRENCES = 8;
const MAX_MENTIONS = 64;

/** Words that may be options (`in`, `IT`, `US`) but are rarely meant as such in lower case. */
const SMALL_WORDS = new Set(
  "a an and are as at be by do for go he i if in is it me my no not of on or so the to up us we".split(" "),
);

export function createOptionBook(): OptionBook {
  const read = new Map<string, Map<readonly unknown[], readonly Mention[]>>();
  const spellings = new Map<readonly unknown[], ReadonlyMap<string, unknown>>();
  let left = MAX_OPTIONS_READ;

  function someOf(options: readonly unknown[]): readonly unknown[] {
    const some = options.slice(0, left);
    left -= some.length;
    return some;
  }

  return {
    mentions(options, text) {
      const inText = read.get(text) ?? new Map<readonly unknown[], readonly Mention[]>();
      read.set(text, inText);
      const found = inText.get(options) ?? outermostIn(someOf(options), text);
      inText.set(options, found);
      return found;
    },
    written(options, value) {
      const known = spellings.get(options) ?? spellingsOf(someOf(options));
      spellings.set(options, known);
      return known.get(value.toLowerCase());
    },
  };
}

/** If several differ only in case, the first wins. */
function spellingsOf(options: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(options.toReversed().map((option) => [writtenOf(option).toLowerCase(), option]));
}

function outermostIn(options: readonly unknown[], written: string): readonly Mention[] {
  const text = written.toLowerCase();
  const found: Mention[] = [];
  for (const option of options) {
    if (found.length >= MAX_MENTIONS) break;
    found.push(...mentionsOfOption(option, text, written));
  }
  const isInside = (one: Mention, other: Mention) =>
    other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at;
  return found
    .filter((mention) => !found.some((other) => isInside(mention, other)))
    .sort((one, other) => Number(other.isExact) - Number(one.isExact) || one.at - other.at);
}

function writtenOf(option: unknown): string {
  return typeof option === "string" ? option : typeof option === "number" ? String(option) : "";
}

/** `in_progress` may appear as "in progress", and `hour` as in "3 hours". */
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
