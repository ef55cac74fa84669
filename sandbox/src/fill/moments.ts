import { wordBefore } from "./mention.ts";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b\\.?";
const DAY = "\\d{1,2}(?:st|nd|rd|th)?";
const HALF = "[apAP](?:[mM]\\b|\\.[mM]\\.)";

/** Digits that are not numbers: dates, times, links and ids. */
const NO_NUMBERS = new RegExp(
  [
    "\\bhttps?://\\S{1,500}",
    "\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b",
    "(?<![\\w-])\\d{4}-\\d{1,2}-\\d{1,2}(?:T(?=\\d)|(?![\\w-]))",
    "(?<![\\w/])\\d{1,4}/\\d{1,2}/\\d{1,4}(?![\\w/])",
    "(?<![\\d:])\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[+-]\\d{2}:\\d{2})?(?![\\d:])",
    `(?<![\\w.:-])\\d{1,2} ?${HALF}`,
    `(?:\\b${DAY}(?: of)? )?\\b${MONTH}(?: ${DAY}\\b(?!\\.\\d))?(?:,? \\d{4}\\b)?`,
  ].join("|"),
  "g",
);

const YEAR = "(?:,? (\\d{4})\\b)?";
/** "5th of March, 2027", "March 5, 2027" and "March 2027". */
const SPOKEN_DAYS = [
  `\\b(${DAY})(?: of)? (${MONTH})${YEAR}`,
  `\\b(${MONTH}) (${DAY})\\b(?!\\.\\d|:)${YEAR}`,
  `\\b(${MONTH}) (\\d{4})\\b`,
].join("|");
const DAYS = new RegExp(`(?<![\\w-])(\\d{4})-(\\d{1,2})-(\\d{1,2})(?![\\d-])|${SPOKEN_DAYS}`, "g");
/** Excludes time zones, such as the end of "10:00:00-05:00". */
const HOURS = new RegExp(
  `(?<![\\d:+])(?<!:\\d\\d:\\d\\d(?:\\.\\d{1,9})?-)(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?![\\d:])(?: ?(${HALF}))?|(?<![\\w.:-])(\\d{1,2}) ?(${HALF})`,
  "g",
);
const BEGINNING = new RegExp(`^(?:the|${DAY}|${MONTH})$`);
const MAX_MOMENTS = 16;

type Part = "year" | "month" | "day" | "hour" | "minute" | "second";
/** A day or an hour as written, with the preposition before it. */
export type Moment = { readonly written: string; readonly before: string } & {
  readonly [part in Part]?: number;
};

/** The text without digits that belong to something else: a date is not three numbers. */
export function withoutMoments(text: string): string {
  return text.replace(NO_NUMBERS, " ");
}

/** In "March 5", March is not a name. */
export function withoutSpokenDays(text: string): string {
  return text.replace(new RegExp(SPOKEN_DAYS, "g"), ",");
}

/** A word that is no day or hour by itself but begins one. */
export function beginsMoment(word: string): boolean {
  return BEGINNING.test(word);
}

export type Moments = {
  days(): readonly Moment[];
  hours(): readonly Moment[];
  /** The part of a date or time, such as year or hour, that an argument with these words wants. */
  part(words: readonly string[]): number | undefined;
};

/** Both are searched lazily, once. */
export function createMoments(text: string): Moments {
  const known: { days?: Moment[]; hours?: Moment[] } = {};
  const days = () => (known.days ??= found(text, DAYS, dayOf));
  const hours = () => (known.hours ??= found(text, HOURS, hourOf));
  const partsOf = { year: days, month: days, day: days, hour: hours, minute: hours, second: hours };
  return {
    days,
    hours,
    part(words) {
      for (const [part, moments] of Object.entries(partsOf) as [Part, () => Moment[]][]) {
        const moment = words.includes(part) ? moments().find((each) => each[part] !== undefined) : undefined;
        if (moment !== undefined) return moment[part];
      }
      return undefined;
    },
  };
}

type Parts = { readonly [part in Part]?: number };

function found(
  text: string,
  shape: RegExp,
  partsOf: (match: RegExpExecArray) => Parts | undefined,
): Moment[] {
  const moments: Moment[] = [];
  for (const match of text.matchAll(shape)) {
    const parts = partsOf(match);
    if (parts === undefined) continue;
    moments.push({ ...parts, written: match[0], before: smallWordBefore(text, match.index) });
    if (moments.length >= MAX_MOMENTS) break;
  }
  return moments;
}

/** "from the 5th of March": "from" counts, not "the". */
function smallWordBefore(text: string, at: number): string {
  const before = wordBefore(text, at);
  return before === "the" ? wordBefore(text, at - "the ".length) : before;
}

function dayOf(match: RegExpExecArray): Parts {
  const [
    ,
    year,
    month,
    day,
    dayFirst,
    monthAfter,
    yearAfter,
    monthFirst,
    dayAfter,
    yearLast,
    bare,
    yearOfBare,
  ] = match;
  if (year !== undefined) return { year: Number(year), month: Number(month), day: Number(day) };
  const saidYear = yearAfter ?? yearLast ?? yearOfBare;
  const saidDay = dayFirst ?? dayAfter;
  return {
    ...(saidYear === undefined ? {} : { year: Number(saidYear) }),
    month: MONTHS.indexOf((monthAfter ?? monthFirst ?? bare ?? "").slice(0, 3).toLowerCase()) + 1,
    ...(saidDay === undefined ? {} : { day: Number.parseInt(saidDay, 10) }),
  };
}

function hourOf(match: RegExpExecArray): Parts | undefined {
  const [, clock, minute = "0", second, half, bare, halfOfBare] = match;
  const said = Number(clock ?? bare);
  const isHalf = (half ?? halfOfBare) !== undefined;
  const isLate = /^p/i.test(half ?? halfOfBare ?? "");
  const hour = isHalf ? (said % 12) + (isLate ? 12 : 0) : said;
  if (hour > 23 || Number(minute) > 59 || (isHalf && said > 12)) return undefined;
  return { hour, minute: Number(minute), ...(second === undefined ? {} : { second: Number(second) }) };
}

const LONGEST_HOUR = "12:00:00 a.m.".length;

/** Other notations of an hour: `7:30pm` is `19:30`. None if the text is more than an hour. */
export function otherWritings(text: string): string[] {
  const [moment] = text.length > LONGEST_HOUR ? [] : createMoments(text).hours();
  if (moment?.hour === undefined || moment.written !== text.trim()) return [];
  const [hour, minute, second] = [moment.hour, moment.minute ?? 0, moment.second ?? 0].map((part) =>
    String(part).padStart(2, "0"),
  );
  return [`${hour}:${minute}`, `${hour}:${minute}:${second}`, `${moment.hour}:${minute}`];
}
