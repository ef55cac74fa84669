import { type Argument, BETWEEN_TEXTS } from "./first-argument.ts";

/** Characters of an argument in the name of a call. */
const SHORT = 48;
const LONGEST = 400;
/** Longer limits, if that would be ambiguous. */
const LONGER = [96, 200, LONGEST];
/** A longer value without blanks is no path that could be recognized by its end. */
const LONGEST_PATH = 400;
/** Longer texts are shown by their beginning only: finding a safe place to cut near the end would take a scan. */
const LONGEST_ENDS = 4_000;
/** The share of the beginning in a text shortened in its middle. */
const HEAD = 0.6;

const BLANK = /\s/;
/** A leading `cd`: the directory says less about a command than the command itself. */
const FOLDER = /^cd (?:\\"[^"]{0,300}"|'[^']{0,300}'|[^\s;&|]{1,300}) ?(?:&&|;) ?/;
const BACKSLASH = 92;
/** A surrogate pair written as two escapes. */
const LONGEST_ESCAPE = 12;
const HIGH_ESCAPE = /^\\u[dD][89abAB]/;
const LOW_ESCAPE = /^\\u[dD][c-fC-F]/;

/**
 * The short form of an argument: a path is shortened at its front, since its end distinguishes it from others; any
 * other text, or a list, in its middle.
 */
export function shortForm({ value, isText }: Argument): string {
  if (!isText || value === "") return value;
  const folder = value.length <= SHORT ? 0 : (FOLDER.exec(value)?.[0].length ?? 0);
  const form = folder === 0 ? shorten(value, SHORT, "") : shorten(value.slice(folder), SHORT, "…");
  return `"${form}"`;
}

/** Longer forms: with more of the text, or with the place of a search. */
export function longForms(argument: Argument): readonly string[] {
  const { value, isText, place } = argument;
  const longer = isText && value.length > SHORT ? LONGER.map((size) => `"${shorten(value, size, "")}"`) : [];
  if (place === "") return longer;
  const whole = longer.at(-1) ?? `"${value}"`;
  const places = place.length > SHORT ? LONGER : [SHORT];
  return [
    `${shortForm(argument)} in "${shorten(place, SHORT, "")}"`,
    ...longer,
    ...places.map((size) => `${whole} in "${shorten(place, size, "")}"`),
  ];
}

/** Directories from its end. */
const MOST_ENDS = 8;

/**
 * Forms of other arguments that might be mistaken for this one: the ends of a path, and a command without its
 * directory.
 */
export function endForms({ value, isText }: Argument): readonly string[] {
  if (!isText || value.length > LONGEST_PATH) return [];
  if (BLANK.test(value)) {
    const folder = FOLDER.exec(value)?.[0].length ?? 0;
    return folder === 0 ? [] : [`"${shorten(value.slice(folder), SHORT, "…")}"`];
  }
  const forms: string[] = [];
  for (
    let at = value.lastIndexOf("/");
    at > 0 && forms.length < MOST_ENDS;
    at = value.lastIndexOf("/", at - 1)
  ) {
    if (value.length - at <= SHORT) forms.push(`"…${value.slice(at)}"`);
  }
  return forms;
}

const LEFT_OUT = "…";

/**
 * Whether a shortened form can also be read as another argument: `"…npm test"` fits every command that runs the tests
 * last. Bound: long arguments are not read.
 */
export function fitsForm(form: string, { value, isText }: Argument): boolean {
  if (!isText || value.length > LONGEST_ENDS) return false;
  const [start = "", ...others] = form.slice(1, -1).split(LEFT_OUT);
  const end = others.pop();
  if (end === undefined || !value.startsWith(start) || !value.endsWith(end)) return false;
  let at = start.length;
  for (const part of others) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + end.length <= value.length;
}

/** As long as the longest form: arguments that no form distinguishes are the same. */
export function identityOf({ value, place }: Argument): string {
  const identity = shorten(value, LONGEST, "");
  return place === "" ? identity : `${identity}" in "${shorten(place, LONGEST, "")}`;
}

function shorten(text: string, size: number, before: string): string {
  if (text.length <= size) return before + text;
  const first = text.indexOf(BETWEEN_TEXTS);
  if (first >= 0) return shortenList(text, first, size);
  if (text.length <= LONGEST_PATH && !BLANK.test(text)) return `…${pathEnd(text, size)}`;
  if (text.length > LONGEST_ENDS) return `${before}${startOf(text, size)}…`;
  const start = startOf(text, Math.floor(size * HEAD));
  return `${before}${start}…${endOf(text, size - start.length)}`;
}

/** Shown by its first and last string: a single one would hide that there are more. */
function shortenList(text: string, first: number, size: number): string {
  const last = text.lastIndexOf(BETWEEN_TEXTS);
  const [start, end] = [text.slice(0, first), text.slice(last + BETWEEN_TEXTS.length)].map((one) =>
    shorten(one, size / 2, ""),
  );
  return `${start}${first === last ? BETWEEN_TEXTS : '", … "'}${end}`;
}

function startOf(text: string, size: number): string {
  let end = 0;
  for (let next = 0; next <= size; next = behindLetter(text, next)) end = next;
  return text.slice(0, end);
}

function endOf(text: string, size: number): string {
  let from = letterBefore(text, text.length - size);
  while (text.length - from > size) from = behindLetter(text, from);
  return text.slice(from);
}

/**
 * A safe place to cut, at `at` or a little before it: at an escape that no other one precedes closely, or where there
 * is none at all.
 */
function letterBefore(text: string, at: number): number {
  let from = at;
  for (let sign = from; sign >= 0 && from - sign <= LONGEST_ESCAPE; sign = text.lastIndexOf("\\", from - 1)) {
    from = sign;
    if (from === 0) return 0;
  }
  return isLow(text.charCodeAt(from)) ? from - 1 : from;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Starts at a whole directory name, if there is one. */
function pathEnd(text: string, size: number): string {
  const end = endOf(text, size);
  const folder = end.indexOf("/");
  return folder < 0 || folder === end.length - 1 ? end : end.slice(folder);
}

/** The index after the character that starts here, which may be one or two escapes, or two code units. */
function behindLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    if (text[at + 1] !== "u") return at + 2;
    const isPair = HIGH_ESCAPE.test(text.slice(at, at + 6)) && LOW_ESCAPE.test(text.slice(at + 6, at + 12));
    return at + (isPair ? 12 : 6);
  }
  return (text.codePointAt(at) as number) > 0xffff ? at + 2 : at + 1;
}
