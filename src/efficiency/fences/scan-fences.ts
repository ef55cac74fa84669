import { stripControlSequences } from "../steps/terminal-codes.ts";
import { isBlank } from "../text/character-codes.ts";

/**
 * Who speaks. People and models write Markdown, with fences in its lists; what a tool says is indented for other
 * reasons, as in a comparison of two files, and may have gutters: those that read files for models write some
 * ("file", or "reader" where that is not known), and data has none.
 */
export type Voice = "model" | "tool" | "file" | "reader" | "data";

/** Tags of fences whose text is output, not a language. */
export const OUTPUT_TAGS: ReadonlySet<string> = new Set(["", "json", "text", "console", "log"]);

const TAB = 9;
/** Before the lines of a quotation. */
const QUOTED = 62;
const BACKTICK = 96;
const TILDE = 126;
/** More columns of white space before it make a line code, except in a list. */
const MOST_INDENT = 3;
const TAB_COLUMNS = 4;

/**
 * Text with more lines of fences is none that anybody reads, and each costs more than its characters: with some megabytes
 * of them nobody else would be served meanwhile.
 */
export const MOST_FENCE_LINES = 50_000;

export type Fence = {
  /** From the start of the line that opens it to the end of the line that closes it. */
  readonly from: number;
  readonly to: number;
  /** What stands between these lines. */
  readonly inside: { readonly from: number; readonly to: number };
  readonly isLanguage: boolean;
  readonly isClosed: boolean;
};

/** A line that begins with the signs of a fence. */
type Line = {
  readonly from: number;
  readonly end: number;
  readonly sign: number;
  readonly count: number;
  /** In how many quotations it stands. */
  readonly quotes: number;
  readonly indent: number;
  readonly tag: string;
};

/** Most texts have no fence, and need not be searched for one. */
export function mayHaveFences(text: string): boolean {
  return text.includes("```") || text.includes("~~~");
}

/**
 * Fences of every kind, in their order, as CommonMark has them: one is closed by as many of its own signs or more, and
 * goes to the end where it is not, or to that of the quotation it stands in, as far as another fence shows that. Where
 * more lines than `mostLines` have the signs of one, the rest is one fence in some language: left alone. Time is linear
 * in the text.
 */
export function scanFences(text: string, voice: Voice, mostLines = MOST_FENCE_LINES): Fence[] {
  const found: Fence[] = [];
  const next = createSearch(text);
  let opened: Line | null = null;
  let lines = 0;
  for (let at = next(0); at < text.length; ) {
    if (++lines > mostLines) return [...found, restOf(text, opened?.from ?? lineStart(text, at))];
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = readLine(text, at, end);
    if (line !== null && opened !== null && line.quotes < opened.quotes) {
      found.push(fenceOf(opened, line.from - 1, line.from - 1, false));
      opened = null;
    }
    if (line !== null && opened === null) opened = opens(line, voice) ? line : null;
    else if (line !== null && opened !== null && closes(line, opened)) {
      found.push(fenceOf(opened, line.from - 1, end, true));
      opened = null;
    }
    at = next(end);
  }
  if (opened !== null) found.push(fenceOf(opened, text.length, text.length, false));
  return found;
}

function restOf(text: string, from: number): Fence {
  const to = text.length;
  return { from, to, inside: { from: to, to }, isLanguage: true, isClosed: false };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at) + 1;
}

function fenceOf(opened: Line, insideTo: number, to: number, isClosed: boolean): Fence {
  const from = Math.min(opened.end + 1, to);
  const inside = { from, to: Math.max(from, insideTo) };
  return { from: opened.from, to, inside, isLanguage: !OUTPUT_TAGS.has(opened.tag), isClosed };
}

/** Backticks behind backticks are code in a line of words. */
function opens({ sign, indent, tag }: Line, voice: Voice): boolean {
  if (voice !== "model" && indent > MOST_INDENT) return false;
  return sign !== BACKTICK || !tag.includes("`");
}

function closes({ sign, count, quotes, indent, tag }: Line, opened: Line): boolean {
  if (sign !== opened.sign || count < opened.count || quotes !== opened.quotes || tag !== "") return false;
  return indent <= (opened.indent > MOST_INDENT ? opened.indent + MOST_INDENT : MOST_INDENT);
}

/**
 * Gives the next three signs of a fence from some place on, wherever they stand; the end where there are none. Each
 * sign is looked for only from where it was found last, so that all of it is one pass.
 */
export function createSearch(text: string): (start: number) => number {
  let backticks = -1;
  let tildes = -1;
  return (start) => {
    if (backticks < start) backticks = placeOf(text, "```", start);
    if (tildes < start) tildes = placeOf(text, "~~~", start);
    return Math.min(backticks, tildes);
  };
}

function placeOf(text: string, signs: string, start: number): number {
  const found = text.indexOf(signs, start);
  return found < 0 ? text.length : found;
}

/** The line whose first signs of a fence stand at `at`; null where other words stand before them. */
function readLine(text: string, at: number, end: number): Line | null {
  let from = at;
  while (isBlank(text.charCodeAt(from - 1)) || text.charCodeAt(from - 1) === QUOTED) from--;
  if (from > 0 && text.charCodeAt(from - 1) !== 10) return null;
  let quotes = 0;
  let indent = 0;
  for (let blank = from; blank < at; blank++) {
    const code = text.charCodeAt(blank);
    // One blank behind the sign of a quotation belongs to it.
    if (code === QUOTED) {
      quotes++;
      indent = -1;
    } else indent += code === TAB ? TAB_COLUMNS - (Math.max(0, indent) % TAB_COLUMNS) : 1;
  }
  const sign = text.charCodeAt(at);
  let behind = at;
  while (text.charCodeAt(behind) === sign) behind++;
  const tag = behind === end ? "" : tagOf(text.slice(behind, end));
  return { from, end, sign, count: behind - at, quotes, indent: Math.max(0, indent), tag };
}

/** As a screen shows it: programs colour whole lines, and a comparison of two files has fences in colour. */
function tagOf(rest: string): string {
  return (rest.includes("\x1b") ? stripControlSequences(rest) : rest).trim();
}

/** Whether fences may stand behind it, on its line. */
export function isQuotationSign(code: number): boolean {
  return code === QUOTED;
}

export function isFenceSign(code: number): boolean {
  return code === BACKTICK || code === TILDE;
}
