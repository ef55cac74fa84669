/** A conversation in the estimator's terms: its estimate is the sum of these counts, each times its cost. */
import { CLASS_OF, FOREIGN } from "../compaction/src/tokens/character-class.ts";
import { longIndex, unknownIndex } from "../compaction/src/tokens/token-cost.ts";
import { LONGEST_KNOWN } from "../compaction/src/tokens/token-filter.ts";
import type { WordFilter } from "./fit-estimator-filter.ts";
import type { Sample, Seen } from "./fit-estimator-samples.ts";

export const CLASSES = 10;
export const SIZES = LONGEST_KNOWN + 1;
const LONG_KINDS = 8;

/** Counts, and the real number of tokens in them: together an equation for some costs. */
export type Equation = { readonly counts: readonly number[]; readonly tokens: number };

export type Tally = {
  readonly exactTokens: number;
  readonly digitTokens: number;
  words: number;
  readonly known: Seen;
  /** By class and size. */
  readonly unknown: readonly Seen[];
  readonly long: Equation[];
  /** Characters of other scripts that begin a token: those known to the filter, and others. */
  readonly foreign: Equation[];
};

export function tallyOf(sample: Sample, filter: WordFilter): Tally {
  const tally: Tally = {
    exactTokens: sample.exactTokens,
    digitTokens: sample.digitTokens,
    words: 0,
    known: { count: 0, tokens: 0 },
    unknown: Array.from({ length: CLASSES * SIZES }, () => ({ count: 0, tokens: 0 })),
    long: [],
    foreign: [],
  };
  for (const [word, seen] of sample.words) addWord(tally, filter, word, seen);
  for (const [run, seen] of sample.runs) addRun(tally, filter, run, seen);
  return tally;
}

function addWord(tally: Tally, filter: WordFilter, word: string, { count, tokens }: Seen): void {
  tally.words += count;
  if (word.length > LONGEST_KNOWN) {
    tally.long.push({ counts: longKinds(word).map((kinds) => kinds * count), tokens: tokens - count });
    return;
  }
  const index = unknownIndex(word.charCodeAt(word.length - 1), word.length);
  const seen = filter.knows(word) ? tally.known : tally.unknown[index];
  if (seen === undefined) throw new Error(`no place for a word of ${word.length} characters`);
  seen.count += count;
  seen.tokens += tokens;
}

function longKinds(word: string): number[] {
  const kinds = new Array<number>(LONG_KINDS).fill(0);
  for (let at = 0; at < word.length; at++) {
    const index = longIndex(word.charCodeAt(at), at === 0 ? -1 : word.charCodeAt(at - 1));
    kinds[index] = (kinds[index] ?? 0) + 1;
  }
  return kinds;
}

/** Reads it as `foreignUnits` does. */
function addRun(tally: Tally, filter: WordFilter, run: string, { count, tokens }: Seen): void {
  const isOpened = CLASS_OF[run.charCodeAt(0)] !== FOREIGN;
  let token = isOpened ? run.charAt(0) : "";
  let known = 0;
  let rare = 0;
  for (let at = token.length; at < run.length; at++) {
    const longer = token + run.charAt(at);
    if (token !== "" && filter.knows(longer)) token = longer;
    else {
      token = run.charAt(at);
      if (filter.knows(token)) known++;
      else rare++;
    }
  }
  if (isOpened) tally.words += count;
  tally.foreign.push({ counts: [known * count, rare * count], tokens: tokens - (isOpened ? count : 0) });
}
