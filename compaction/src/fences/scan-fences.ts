import { isBlank } from "../text/character-codes.ts";

/** Tags of fences that contain output, not a language. */
const OUTPUT_TAGS: ReadonlySet<string> = new Set(["", "text", "console", "log"]);

const TAB = 9;
/** `>`, before the lines of a quotation. */
const QUOTED = 62;
const BACKTICK = 96;
const TILDE = 126;
/** With more indentation a line is code, except in a list. */
const MOST_INDENT = 3;
const TAB_COLUMNS = 4;

/**
 * Nobody reads text with more fence lines, and each costs more than its characters: a few megabytes of them would
 * block the process.
 */
export const MOST_FENCE_LINES = 50_000;

type Fence = {
  /** From the start of the opening line to the end of the closing one. */
  readonly from: number;
  readonly to: number;
  /** The lines between them. */
  readonly inside: { readonly from: number; readonly to: number };
  readonly isLanguage: boolean;
  readonly isClosed: boolean;
};

/** A line that starts with the signs of a fence. */
type Line = {
  readonly from: number;
  readonly end: number;
  readonly sign: number;
  readonly count: number;
  /** Nesting depth of quotations. */
  readonly quotes: number;
  readonly indent: number;
  readonly tag: string;
};

/** Quick check: most texts have no fence. */
export function mayHaveFences(text: string): boolean {
  return text.includes("```") || text.includes("~~~");
}

/**
 * All fences, in order, by the rules of CommonMark: a fence is closed by at least as many of its own signs. An
 * unclosed one extends to the end of the text, or of its quotation as far as another fence shows where that ends. If
 * more than `mostLines` lines have fence signs, the rest counts as one language fence and is left alone. Time is
 * linear in the text. People and models write fences in lists, indented further (`inLists`); the output of tools is
 * indented for other reasons, as in a diff.
 */
export function scanFences(text: string, inLists = false, mostLines = MOST_FENCE_LINES): Fence[] {
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
    if (line !== null && opened === null) opened = opens(line, inLists) ? line : null;
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

/** Backticks followed by more backticks are inline code. */
function opens({ sign, indent, tag }: Line, inLists: boolean): boolean {
  if (!inLists && indent > MOST_INDENT) return false;
  return sign !== BACKTICK || !tag.includes("`");
}

function closes({ sign, count, quotes, indent, tag }: Line, opened: Line): boolean {
  if (sign !== opened.sign || count < opened.count || quotes !== opened.quotes || tag !== "") return false;
  return indent <= (opened.indent > MOST_INDENT ? opened.indent + MOST_INDENT : MOST_INDENT);
}

/**
 * Returns the next occurrence of three fence signs from `start` on, anywhere in a line; the end of the text if there
 * is none. Each sign is searched only from where it was last found, so that it takes one pass in total.
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

/** Reads the line whose first fence signs are at `at`; null if other text precedes them. */
function readLine(text: string, at: number, end: number): Line | null {
  let from = at;
  while (isBlank(text.charCodeAt(from - 1)) || text.charCodeAt(from - 1) === QUOTED) from--;
  if (from > 0 && text.charCodeAt(from - 1) !== 10) return null;
  let quotes = 0;
  let indent = 0;
  for (let blank = from; blank < at; blank++) {
    const code = text.charCodeAt(blank);
    // One blank after the quotation sign belongs to it.
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

const ESCAPE = "\\u001b";
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*[mK]`, "g");

/** Programs colour whole lines, and a coloured diff may contain fences. */
function tagOf(rest: string): string {
  return (rest.includes("\x1b") ? rest.replaceAll(COLOURS, "") : rest).trim();
}

export function isFenceSign(code: number): boolean {
  return code === BACKTICK || code === TILDE;
}
