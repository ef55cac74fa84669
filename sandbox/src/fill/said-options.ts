import type { Clues } from "./clues.ts";
import { directionOf, SMALL_WORDS } from "./directions.ts";
import { identifierWords } from "./identifier.ts";
import { isWholeWord } from "./mention.ts";
import { createOptionBook, type Mention, type OptionBook } from "./option-book.ts";

/** Which options of a list the prompt mentions; what one argument took, another does not get. */
export type OptionReader = {
  /** Undefined if the prompt mentions none. */
  take(name: string, options: readonly unknown[], item?: number): unknown;
  has(name: string, options: readonly unknown[]): boolean;
  /** Position of the first mention; the length of the prompt if there is none. */
  placeOf(options: readonly unknown[]): number;
  /** How many of them the prompt gives in a list of that name, or else how many mentions were not taken. */
  count(name: string, options: readonly unknown[]): number;
};

/** The penalty, in characters, for a comma or an "and" between a name and an option. */
const PAUSE_WEIGHT = 40;

/** Before an option that is not wanted: "not low", "from draft to final". */
const REJECTING = new Set("from von aus not no than without never nicht".split(" "));

export function createOptionReader(clues: Clues, book: OptionBook = createOptionBook()): OptionReader {
  const text = clues.text.toLowerCase();
  const takenBy = new Map<number, string>();
  let wholePrompt: OptionReader | undefined;

  function elsewhere(): OptionReader {
    wholePrompt ??= createOptionReader({ ...clues, text: clues.prompt }, book);
    return wholePrompt;
  }

  /** Empty unless the first value is an option. */
  function labelled(name: string, options: readonly unknown[]): unknown[] {
    const said = (clues.labels.get(name.toLowerCase()) ?? []).map((value) => book.written(options, value));
    const end = said.indexOf(undefined);
    return end < 0 ? said : said.slice(0, end);
  }

  function freeFor(name: string, options: readonly unknown[]): readonly Mention[] {
    const mentions = book.mentions(options, clues.text);
    const untaken = mentions.filter(({ at }) => !takenBy.has(at));
    // All items of a list may share one mention: the unit of every item.
    return untaken.length > 0 ? untaken : mentions.filter(({ at }) => takenBy.get(at) === name);
  }

  function choose(name: string, options: readonly unknown[]): Mention | undefined {
    const free = freeFor(name, options);
    if (free.length < 2) return free[0];
    const words = identifierWords(name);
    const small = SMALL_WORDS[directionOf(words)];
    const directed = free.find(({ before }) => small.includes(before));
    const wanted = free.filter(({ before }) => !REJECTING.has(before));
    return directed ?? nearest(words.join(" "), wanted, text) ?? wanted[0] ?? free[0];
  }

  return {
    take(name, options, item = 0) {
      const said = labelled(name, options);
      if (said.length > 0) return said[item];
      const mention = choose(name, options);
      if (mention !== undefined) takenBy.set(mention.at, name);
      // With several tools, the option may be among another tool's words: "…, all in celsius".
      else if (clues.prompt !== clues.text) return elsewhere().take(name, options);
      return mention?.option;
    },
    has: (name, options) => labelled(name, options).length > 0 || freeFor(name, options).length > 0,
    placeOf: (options) =>
      Math.min(...book.mentions(options, clues.text).map(({ at }) => at), clues.text.length),
    count(name, options) {
      const said = labelled(name, options).length;
      return said > 0 ? said : book.mentions(options, clues.text).filter(({ at }) => !takenBy.has(at)).length;
    },
  };
}

/** The option closest to the argument's name, preferably in the same clause. */
function nearest(phrase: string, mentions: readonly Mention[], text: string): Mention | undefined {
  const at = phrase.length < 3 ? -1 : text.indexOf(phrase);
  const end = at + phrase.length;
  if (at < 0 || !isWholeWord(text, at, end)) return undefined;
  const gapOf = (mention: Mention) => {
    const between = mention.at >= end ? text.slice(end, mention.at) : text.slice(mention.end, at);
    return between.length + (/[,.;\n]|\band\b/.test(between) ? PAUSE_WEIGHT : 0);
  };
  const gaps = mentions.map(gapOf);
  return mentions[gaps.indexOf(Math.min(...gaps))];
}
