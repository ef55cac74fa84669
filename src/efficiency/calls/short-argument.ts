import { type Argument, BETWEEN_TEXTS } from "./first-argument.ts";

/** How much of an argument stands in the name of a call. */
const SHORT = 48;
const LONGEST = 400;
/** More, where that would be the name of another one, too. */
const LONGER = [96, 200, LONGEST];
/** A longer value without blanks is no path that anybody knows by its end. */
const LONGEST_PATH = 400;
/** Of a longer text the beginning alone is shown: its end would have to be looked for. */
const LONGEST_ENDS = 4_000;
/** The part of a long text that is its beginning. */
const HEAD = 0.6;

const BLANK = /\s/;
/** Where a command is run says less of it than what is run there. */
const FOLDER = /^cd (?:\\"[^"]{0,300}"|'[^']{0,300}'|[^\s;&|]{1,300}) ?(?:&&|;) ?/;
const BACKSLASH = 92;
/** Of a letter that is written as two numbers. */
const LONGEST_ESCAPE = 12;
const HIGH_ESCAPE = /^\\u[dD][89abAB]/;
const LOW_ESCAPE = /^\\u[dD][c-fC-F]/;

/**
 * As an argument is shown: a path shortened at its front, since its end tells it from others, and any other text, or a
 * list, in its middle.
 */
export function shortForm({ value, isText }: Argument): string {
  if (!isText || value === "") return value;
  const folder = value.length <= SHORT ? 0 : (FOLDER.exec(value)?.[0].length ?? 0);
  const form = folder === 0 ? shorten(value, SHORT, "") : shorten(value.slice(folder), SHORT, "…");
  return `"${form}"`;
}

/** Longer ways to show it, where there is more of it, or where it was looked for somewhere. */
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

/** So many folders from its end. */
const MOST_ENDS = 8;

/** What others could be shown as and it could be meant by: the ends of a path, and a command without its folder. */
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

/** As long as any of them: those that no form tells apart are the same. */
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

/** By its first text and its last: of one alone nobody would know that there are others. */
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

/** Where a letter begins, here or a little before: at an escape with no other near, or where there is none at all. */
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

/** From a whole name of a folder on, where there is one. */
function pathEnd(text: string, size: number): string {
  const end = endOf(text, size);
  const folder = end.indexOf("/");
  return folder < 0 || folder === end.length - 1 ? end : end.slice(folder);
}

/** Behind the letter that begins here, which may be written as an escape or two, or have two code units. */
function behindLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    if (text[at + 1] !== "u") return at + 2;
    const isPair = HIGH_ESCAPE.test(text.slice(at, at + 6)) && LOW_ESCAPE.test(text.slice(at + 6, at + 12));
    return at + (isPair ? 12 : 6);
  }
  return (text.codePointAt(at) as number) > 0xffff ? at + 2 : at + 1;
}
