import { UNWELL, WELL } from "./outcome-words.ts";

/** What a program showed on its line before it overwrote it, or at the end. */
export type State = {
  readonly from: number;
  readonly to: number;
  /** "share" and "words" may be progress if enough of them are alike. */
  readonly shows: "bar" | "share" | "words" | "record";
  /** The part that does not change with progress. */
  readonly still: string;
  /** Its words; for a bar, only those that name it, and those that state an outcome. */
  readonly words: ReadonlySet<string>;
  /** `done` of `of`; NaN of 100 if it states none. A percentage is of 100, too. */
  readonly done: number;
  readonly of: number;
  /** The last percentage, which may follow the number of a round. */
  readonly percent: number;
  /** All numbers except speeds; only for "words". */
  readonly numbers: readonly number[];
  /** Numbers that are no percentages, sizes or times: they may be content. */
  readonly plain: readonly number[];
};

/**
 * A bar, a percentage with its count or speed, or the times that `curl` and `ffmpeg` show: records of a file have
 * none of these.
 */
const BAR = new RegExp(
  [
    "[=#─-▟■-◿]{3}",
    "\\[[=#>. -]{5,}\\]",
    "%\\[[=> ]",
    "%\\|[^|]*\\| *[\\d.]+[a-zA-Z]*/[\\d.]+[a-zA-Z]* \\[",
    "\\d ?% \\(\\d+/\\d+\\)",
    "\\d ?% .{0,80}B/s",
    "(?:[\\d-]{1,3}:[\\d-]{2}:[\\d-]{2} +){3}",
    "^frame= *\\d+ fps=",
  ].join("|"),
);
/** A part of every bar. */
const IN_BAR = /[=#─-▟■-◿[%:]/;
/** A spinner: its words say what is going on. */
const SPINNER = /[⠀-⣿]|^[^-|/\\]*\s[-|/\\]\s*$/;
/** A title between two rulers; a bar has text before, after or in it, but no second bar after that. */
const TITLE_START = /^\s*[=#─-▟■-◿]{3}/;
const TITLE_END = /[=#─-▟■-◿]{3}\s*$/;
/** A percentage, or "n of m": progress if it does not decrease, but records have these, too. */
const SHARE =
  /(?=\d)(?:(?<!\d|\d\.)(\d+(?:\.\d+)?) ?%|(?<![\d/]|\d\.)(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?)(?![\d/]))/g;
/** What changes from one state to the next: numbers with their units, bars, spinners and blanks. */
const MOVING = /\d[\d.:]* ?(?:[kKMGT]?i?[Bb](?![a-z]))?|[\s.:%/|\\\-=#<>()[\]─-▟■-◿⠀-⣿]/g;
/** Thousands separators, which appear as a number grows. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** Separated fields, quotes, brackets, dates, money, statements: records of a file, which may all look alike. */
const RECORD = /\d,|,\S|[;\t"{}<>$€£¥]|\|[^|]*\||\d[-/.]\d+[-/.]\d|\b(?:CHF|EUR|GBP|JPY|USD)\b/;
/** Speeds, which vary while work goes on. */
const SPEED = /(?=[\d?-])(?<![\d.-])[\d?-][\d.-]* ?[a-zA-Z]*\/s(?!\p{L})/gu;
/** Makes hours, minutes and seconds one number. */
const IN_TIME = /(?<=\d):(?=\d\d)/g;
const NUMBER = /\d+(?:\.\d+)?/g;
/**
 * Sizes and durations; `curl` writes `3883k`. Durations are a chain of at most four units: unbounded, it would take
 * the regex engine a hundred times as long. What it begins with is looked at first, which is cheaper than what is before.
 */
const QUANTITY =
  /(?=[\de])(?<![\p{L}\p{N}_.])(?:\d+:\d\d[\d:.]*|\d+(?:\.\d+)?[kgtp](?![\p{L}\p{N}_])|(?:\d+(?:\.\d+)? ?(?:[kKMGT]?i?B|bytes?|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![\p{L}_])){1,4}|eta(?!\p{L}))/giu;
/** A part of every quantity. */
const IN_QUANTITY = /\d(?: ?[a-z]|:)|eta/iu;
/** Without a word, the numbers are data. */
const WORD = /\p{L}{2}/u;
const NAMES = /[\p{L}\p{N}_]+/gu;
const VALUES = /[\p{L}\p{N}_]+(?:\.\d+)?/gu;
const LETTER = /[\p{L}_]/u;
/** "N/A", and the exponent of a number: neither is a word. */
const NO_WORD = /\bN\/A\b|(?<=\d)e[+-]?\d+/gi;
/** No screen is wider, so a longer text was not overwritten on one. */
const WIDEST = 2_000;
const UNREAD: Shown = {
  ...{ shows: "record", still: "", words: new Set(), numbers: [], plain: [] },
  ...{ done: Number.NaN, of: 100, percent: Number.NaN },
};

const NO_SHARES = { done: Number.NaN, of: 100, percent: Number.NaN };

type Shown = Omit<State, "from" | "to">;

export function readState(shown: string): Shown {
  if (shown.length > WIDEST) return UNREAD;
  const text = withoutThousands(shown);
  const still = text.replaceAll(MOVING, "");
  const shares = { ...sharesOf(text), still };
  const bar = !IN_BAR.test(text) || isTitle(shown) ? null : BAR.exec(text);
  if (bar !== null) {
    return { shows: "bar", ...shares, words: wordsOfBar(text, bar.index), numbers: [], plain: [] };
  }
  const words = new Set(wordsOf(text));
  if (SPINNER.test(shown)) return { shows: "bar", ...shares, words, numbers: [], plain: [] };
  const plain = numbersOf(withoutQuantities(withoutShares(withoutSpeeds(text, ""), ""), ""));
  if (RECORD.test(shown)) return { shows: "record", ...shares, words, numbers: [], plain };
  if (!Number.isNaN(shares.done)) return { shows: "share", ...shares, words, numbers: [], plain };
  if (!WORD.test(still)) return { shows: "record", ...shares, words, numbers: [], plain };
  const numbers = numbersOf(withoutSpeeds(shown, "").replaceAll(IN_TIME, ""));
  return { shows: "words", ...shares, words, numbers, plain };
}

/** The current item may be dropped, but not an outcome, nor what it refers to. */
function wordsOfBar(text: string, at: number): ReadonlySet<string> {
  const unwell = text.match(UNWELL) ?? [];
  const named = wordsOf(unwell.length > 0 ? text : text.slice(0, at));
  return new Set([...named, ...unwell, ...(text.match(WELL) ?? [])]);
}

function sharesOf(text: string) {
  if (!mayHaveShares(text)) return NO_SHARES;
  const [first, ...others] = text.matchAll(SHARE);
  const [, percent, count, of] = first ?? [];
  const last = others.findLast(([, found]) => found !== undefined)?.[1] ?? percent;
  return { done: Number(percent ?? count), of: Number(of ?? 100), percent: Number(last) };
}

// A sign that must be there is found much sooner than the pattern is not.

function withoutThousands(text: string): string {
  return text.includes(",") ? text.replaceAll(THOUSANDS, "") : text;
}

function withoutSpeeds(text: string, by: string): string {
  return text.includes("/s") ? text.replaceAll(SPEED, by) : text;
}

function withoutShares(text: string, by: string): string {
  return mayHaveShares(text) ? text.replaceAll(SHARE, by) : text;
}

function withoutQuantities(text: string, by: string): string {
  return IN_QUANTITY.test(text) ? text.replaceAll(QUANTITY, by) : text;
}

function mayHaveShares(text: string): boolean {
  return text.includes("%") || text.includes("/");
}

/** Words with letters, including their digits; sizes and times do not count. */
function wordsOf(text: string): readonly string[] {
  const names = withoutQuantities(withoutSpeeds(text, " "), " ").match(NAMES) ?? [];
  return names.filter((name) => LETTER.test(name));
}

/**
 * Its words and numbers, except for those that change with progress; also notes which words are followed by a number.
 */
export function saidIn(shown: string): ReadonlySet<string> {
  const text = withoutShares(withoutSpeeds(withoutThousands(shown.replaceAll(NO_WORD, "")), " "), " ");
  const said = new Set<string>();
  let before = "";
  for (const name of withoutQuantities(text, " ").match(VALUES) ?? []) {
    said.add(name);
    const isNumber = !LETTER.test(name);
    if (isNumber && before !== "") said.add(`${before} #`);
    before = isNumber ? "" : name;
  }
  return said;
}

function numbersOf(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

function isTitle(shown: string): boolean {
  return TITLE_START.test(shown) && TITLE_END.test(shown) && WORD.test(shown);
}
