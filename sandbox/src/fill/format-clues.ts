import { type Direction, SMALL_WORDS } from "./directions.ts";
import { SANDBOX_YEAR } from "./format-texts.ts";
import { wordBefore } from "./mention.ts";
import type { Moment, Moments } from "./moments.ts";
import { EMAIL_SHAPE, URL_SHAPE } from "./prompt-shapes.ts";
import { fitsFormat } from "./schema/schema-format.ts";

const HOST_SHAPE = /(?<![\w.@/-])[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,5}\.[a-z][a-z\d-]{0,62}\b/gi;

/** Dates are found by `moments`. */
const NOTHING = /$^/g;

/** What each format looks like within a prompt; bounded like all shapes. */
const SHAPES: ReadonlyMap<string, RegExp> = new Map([
  ["date", NOTHING],
  ["date-time", /(?<![\w-])\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})/g],
  ["time", /(?<![\w:-])\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})/g],
  ["duration", /\bP[\dYMWDTHS]{2,40}\b/g],
  ["email", EMAIL_SHAPE],
  ["idn-email", EMAIL_SHAPE],
  ["hostname", HOST_SHAPE],
  ["idn-hostname", HOST_SHAPE],
  ["ipv4", /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)/g],
  ["ipv6", /(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\w:])/gi],
  ["uri", URL_SHAPE],
  ["url", URL_SHAPE],
  ["iri", URL_SHAPE],
  ["uuid", /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi],
]);
const MAX_FOUND = 16;
const MAX_TRIED = 256;

export function isKnownFormat(format: string | undefined): format is string {
  return format !== undefined && SHAPES.has(format);
}

type Found = { readonly value: string; readonly before: string };

/** Values of a format in the prompt, or plain days or hours; those after the argument's own preposition come first. */
type FormatReader = (format: string, direction: Direction) => string[];

export function createFormatReader(text: string, moments: Moments): FormatReader {
  /** Each is searched once: a schema may have hundreds of fields of one format. */
  const known = new Map<string, readonly Found[]>();
  return (format, direction) => {
    const found = known.get(format) ?? findEither(format, text, moments);
    known.set(format, found);
    const rank = ({ before }: Found) => (SMALL_WORDS[direction].includes(before) ? 0 : 1);
    return found.toSorted((one, other) => rank(one) - rank(other)).map(({ value }) => value);
  };
}

/** A date-time that is written out also counts as a day and an hour, which must not be combined into another one. */
function findEither(format: string, text: string, moments: Moments): readonly Found[] {
  const written = findAll(format, text);
  const isTold = format === "date-time" && written.length > 0;
  return isTold ? written : [...written, ...momentsAs(format, moments)];
}

function findAll(format: string, text: string): Found[] {
  const found: Found[] = [];
  let tried = 0;
  for (const match of text.matchAll(SHAPES.get(format) ?? NOTHING)) {
    const [value] = match;
    if (fitsFormat(format, value)) {
      found.push({ value, before: wordBefore(text, match.index) });
    }
    if (found.length >= MAX_FOUND || ++tried >= MAX_TRIED) break;
  }
  return found;
}

/** Without a format, a moment is given as written, but a complete date in ISO form. */
function momentsAs(format: string, moments: Moments): Found[] {
  const as = (all: readonly Moment[], write: (moment: Moment) => string | undefined) =>
    all.flatMap((moment) => {
      const value = write(moment);
      return value === undefined ? [] : [{ value, before: moment.before }];
    });
  switch (format) {
    case "date":
      return as(moments.days(), (moment) => fitting("date", dateOf({ year: SANDBOX_YEAR, ...moment })));
    case "day":
      return as(moments.days(), (moment) => {
        const isWhole = moment.year !== undefined && moment.day !== undefined;
        return isWhole ? (fitting("date", dateOf(moment)) ?? moment.written) : moment.written;
      });
    case "time":
      return as(moments.hours(), (moment) => fitting("time", timeOf(moment)));
    case "date-time":
      return daysWithHours(moments).flatMap(({ day, hour }) => {
        const value = `${dateOf({ year: SANDBOX_YEAR, ...day })}T${timeOf(hour)}`;
        const before = DIRECTING.includes(hour.before) ? hour.before : day.before;
        return fitsFormat(format, value) ? [{ value, before }] : [];
      });
    case "hour":
      return as(moments.hours(), ({ written }) => written);
    default:
      return [];
  }
}

const DIRECTING = Object.values(SMALL_WORDS).flat();

/** Paired in the order of the text; the last day goes with all remaining hours. */
function daysWithHours(moments: Moments): { readonly day: Moment; readonly hour: Moment }[] {
  const days = moments.days();
  return moments.hours().flatMap((hour, at) => {
    const day = days[at] ?? days.at(-1);
    return day === undefined ? [] : [{ day, hour }];
  });
}

function fitting(format: string, value: string): string | undefined {
  return fitsFormat(format, value) ? value : undefined;
}

function dateOf({ year = 0, month = 0, day = 0 }: Moment): string {
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

function timeOf({ hour = 0, minute = 0, second = 0 }: Moment): string {
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}Z`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
