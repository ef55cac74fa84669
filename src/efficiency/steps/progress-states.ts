import { UNWELL, WELL } from "./outcome-words.ts";

/** What a program showed on its line before it overwrote it, or at its end. */
export type State = {
  readonly from: number;
  readonly to: number;
  /** Shares and words may be progress, where enough of them are alike. */
  readonly shows: "bar" | "share" | "words" | "record";
  /** What does not move in it. */
  readonly still: string;
  /** Its words, or of a bar those that say what it is of, and those that say how it went. */
  readonly words: ReadonlySet<string>;
  /** So many of so many; no number where it says none. */
  readonly done: number;
  readonly of: number;
  /** The share that is said last, which may stand behind the number of a round. */
  readonly percent: number;
  /** All numbers beside words, but for speeds. */
  readonly numbers: readonly number[];
  /** Those of them that are no shares, sizes or times: they may be what is said. */
  readonly plain: readonly number[];
};

/**
 * A bar, a share with its count or speed, or the times that `curl` and `ffmpeg` show: records of a file have none of
 * these, whatever else they have.
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
/** Something is done, and its words say what. */
const SPINNER = /[⠀-⣿]|^[^-|/\\]*\s[-|/\\]\s*$/;
/** A bar has words before it, behind it or in it, and no other bar behind those: this is a title. */
const TITLE_START = /^\s*[=#─-▟■-◿]{3}/;
const TITLE_END = /[=#─-▟■-◿]{3}\s*$/;
/** So much of a hundred, or so many of so many: progress where it does not fall, but records have these, too. */
const SHARE = /(?<!\d|\d\.)(\d+(?:\.\d+)?) ?%|(?<![\d/]|\d\.)(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?)(?![\d/])/g;
/** What moves from one state to the next: numbers with their units, bars, spinners and blanks. */
const MOVING = /\d[\d.:]* ?(?:[kKMGT]?i?[Bb](?![a-z]))?|[\s.:%/|\\\-=#<>()[\]─-▟■-◿⠀-⣿]/g;
/** Between the thousands of a number, which has more of them as it grows. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** Fields between separators, quotes, brackets, days, money, statements: records of a file may all say the same. */
const RECORD = /\d,|,\S|[;\t"{}<>$€£¥]|\|[^|]*\||\d[-/.]\d+[-/.]\d|\b(?:CHF|EUR|GBP|JPY|USD)\b/;
/** What goes up and down while work goes on. */
const SPEED = /(?<![\d.-])[\d?-][\d.-]* ?[a-zA-Z]*\/s(?!\p{L})/gu;
/** Hours, minutes and seconds are one number. */
const IN_TIME = /(?<=\d):(?=\d\d)/g;
const NUMBER = /\d+(?:\.\d+)?/g;
/**
 * How large something is, how long it took, and how long it will; `curl` says `3883k`. Days, hours, minutes and
 * seconds are a chain of four: one without an end takes the engine a hundred times as long.
 */
const QUANTITY =
  /(?<![\p{L}\p{N}_.])(?:\d+:\d\d[\d:.]*|\d+(?:\.\d+)?[kgtp](?![\p{L}\p{N}_])|(?:\d+(?:\.\d+)? ?(?:[kKMGT]?i?B|bytes?|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![\p{L}_])){1,4}|eta(?!\p{L}))/giu;
/** Numbers alone are data. */
const WORD = /\p{L}{2}/u;
const NAMES = /[\p{L}\p{N}_]+/gu;
const VALUES = /[\p{L}\p{N}_]+(?:\.\d+)?/gu;
const LETTER = /[\p{L}_]/u;
/** What says that there is no value, and what makes a number a small one: neither is a word. */
const NO_WORD = /\bN\/A\b|(?<=\d)e[+-]?\d+/gi;
/** No screen is wider: what is longer was not overwritten on one. */
const WIDEST = 2_000;
const UNREAD: Shown = {
  ...{ shows: "record", still: "", words: new Set(), numbers: [], plain: [] },
  ...{ done: Number.NaN, of: 100, percent: Number.NaN },
};

type Shown = Omit<State, "from" | "to">;

export function readState(shown: string): Shown {
  if (shown.length > WIDEST) return UNREAD;
  const text = shown.replaceAll(THOUSANDS, "");
  const still = text.replaceAll(MOVING, "");
  const shares = { ...sharesOf(text), still };
  const bar = isTitle(shown) ? null : BAR.exec(text);
  if (bar !== null) {
    return { shows: "bar", ...shares, words: wordsOfBar(text, bar.index), numbers: [], plain: [] };
  }
  const words = new Set(wordsOf(text));
  if (SPINNER.test(shown)) return { shows: "bar", ...shares, words, numbers: [], plain: [] };
  const plain = numbersOf(text.replaceAll(SPEED, "").replaceAll(SHARE, "").replaceAll(QUANTITY, ""));
  if (RECORD.test(shown)) return { shows: "record", ...shares, words, numbers: [], plain };
  if (!Number.isNaN(shares.done)) return { shows: "share", ...shares, words, numbers: [], plain };
  if (!WORD.test(still)) return { shows: "record", ...shares, words, numbers: [], plain };
  const numbers = numbersOf(shown.replaceAll(SPEED, "").replaceAll(IN_TIME, ""));
  return { shows: "words", ...shares, words, numbers, plain };
}

/** What is at work just now may go, but not how something went, nor what it was that went so. */
function wordsOfBar(text: string, at: number): ReadonlySet<string> {
  const unwell = text.match(UNWELL) ?? [];
  const named = wordsOf(unwell.length > 0 ? text : text.slice(0, at));
  return new Set([...named, ...unwell, ...(text.match(WELL) ?? [])]);
}

function sharesOf(text: string) {
  const [first, ...others] = text.matchAll(SHARE);
  const [, percent, count, of] = first ?? [];
  const last = others.findLast(([, found]) => found !== undefined)?.[1] ?? percent;
  return { done: Number(percent ?? count), of: Number(of ?? 100), percent: Number(last) };
}

/** Names have numbers in them, which belong to them; sizes and times are no words. */
function wordsOf(text: string): readonly string[] {
  const names = text.replaceAll(SPEED, " ").replaceAll(QUANTITY, " ").match(NAMES) ?? [];
  return names.filter((name) => LETTER.test(name));
}

/** Its words and numbers, but for those that move, and behind which words there are numbers. */
export function saidIn(shown: string): ReadonlySet<string> {
  const text = shown
    .replaceAll(NO_WORD, "")
    .replaceAll(THOUSANDS, "")
    .replaceAll(SPEED, " ")
    .replaceAll(SHARE, " ");
  const said = new Set<string>();
  let before = "";
  for (const name of text.replaceAll(QUANTITY, " ").match(VALUES) ?? []) {
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
