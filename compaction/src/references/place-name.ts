import type { Label } from "../calls/origin.ts";
import { PADDED, type Page, type Replacement } from "../text/pieces.ts";
import type { Block } from "./source-index.ts";

/** A text that references may point to. */
export type Source = {
  readonly page: Page;
  /** How references name it. */
  readonly label: Label;
  /** The text as the model sees it. */
  readonly shown: string;
  /** True if no gutter number occurs twice, so that a number identifies a line. */
  readonly hasClearNumbers: boolean;
  /** Where its pieces are in `shown`; null if that must be searched. */
  readonly places: Places | null;
};

/** Characters quoted to identify the start or end of a block: more if fewer are ambiguous. */
const QUOTED = [14, 28, 56];
const BACKSLASH = 92;
/** Words up to this length are not cut. */
const LONGEST_WORD = 16;
const WORD = /[a-zA-Z0-9\u0080-\uffff]/;

/** Whether a piece can be identified by its line number. */
export function hasNumber({ page, hasClearNumbers }: Source, piece: number): boolean {
  return hasClearNumbers && (page.pieces.number[piece] as number) >= 0;
}

/** The content of consecutive pieces, without line numbers and their padding. */
function saidBy({ text, pieces }: Page, first: number, count: number): string {
  const last = first + count - 1;
  const number = pieces.number[first] as number;
  if (number < 0 && number !== PADDED) return text.slice(pieces.start[first], pieces.end[last]);
  const lines: string[] = [];
  for (let at = first; at <= last; at++) lines.push(text.slice(pieces.body[at], pieces.end[at]));
  return lines.join("\n");
}

/** Names lines by their numbers; null if the model sees none. `number` is the block's own first number. */
export function nameByNumbers(block: Block, source: Source, number: number): string | null {
  if (!hasNumber(source, block.source)) return null;
  const from = source.page.pieces.number[block.source] as number;
  if (from === number) return `in ${source.label()}`;
  return `lines ${from}-${from + block.count - 1} of ${source.label()}`;
}

/**
 * Names a block by quoting its start and end as they are shown, or its start and number of lines. A reader who searches
 * for the first occurrence of the quotes finds exactly the block; null if no quotes achieve that. `blanks` at the start
 * of the block are left out.
 */
export function nameByWords(
  { source: piece, count }: Block,
  { page, label, shown, places }: Source,
  blanks: number,
): string | null {
  const said = places === null ? saidBy(page, piece, count).slice(blanks) : "";
  const from = places === null ? shown.indexOf(said) : (places.from[piece - page.first] as number) + blanks;
  const to = places === null ? from + said.length : (places.to[piece - page.first + count - 1] as number);
  const lineEnd = shown.indexOf("\n", from);
  const limit = lineEnd < 0 || lineEnd > to ? to : lineEnd;
  const heads = QUOTED.map((size) =>
    shown.slice(from, wordEnd(shown, Math.min(from + size, limit), limit)),
  ).filter((words) => words !== "" && shown.indexOf(words) === from);
  // Best if it occurs nowhere else.
  const head = heads.find((words) => shown.indexOf(words, from + 1) < 0) ?? heads.at(-1);
  if (from < 0 || head === undefined) return null;
  const lastLine = Math.max(from + head.length, shown.lastIndexOf("\n", to - 1) + 1);
  for (const size of QUOTED) {
    const tail = shown.slice(wordStart(shown, Math.max(lastLine, to - size), lastLine), to);
    const isClear = shown.indexOf(tail, from + head.length) + tail.length === to;
    if (isClear && tail !== "") return `${label()} from ${quote(head)} to ${quote(tail)}`;
  }
  const isLineEnd = to === shown.length || shown.charCodeAt(to) === 10;
  return isLineEnd ? `${label()} from ${quote(head)}, ${countLines(page, piece, count)} lines` : null;
}

function countLines(page: Page, first: number, count: number): number {
  return saidBy(page, first, count).split("\n").length;
}

/** Where each piece of a page is in the shown text. */
type Places = { readonly from: Int32Array; readonly to: Int32Array };

/** Only of a page without numbers, which is shown with these replacements. Bound: one pass. */
export function placesOf({ pieces, first, end }: Page, replacements: readonly Replacement[]): Places {
  const size = end - first;
  const places = { from: new Int32Array(size), to: new Int32Array(size) };
  let shift = 0;
  let next = 0;
  for (let at = 0; at < size; at++) {
    const replacement = replacements[next];
    if (replacement?.first !== first + at) {
      places.from[at] = (pieces.start[first + at] as number) + shift;
      places.to[at] = (pieces.end[first + at] as number) + shift;
      continue;
    }
    const { count, from, to, text, isFold } = replacement;
    let line = isFold ? text.indexOf("\n") + 1 : 0;
    for (let piece = at; isFold && piece < at + count; piece++) {
      const found = text.indexOf("\n", line);
      const lineEnd = found < 0 ? text.length : found;
      places.from[piece] = from + shift + line;
      places.to[piece] = from + shift + lineEnd;
      line = lineEnd + 1;
    }
    shift += text.length - (to - from);
    at += count - 1;
    next++;
  }
  return places;
}

function wordEnd(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && end - at < LONGEST_WORD && WORD.test(text.charAt(end))) end++;
  return end < limit ? beforeLetter(text, end) : end;
}

function wordStart(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && at - start < LONGEST_WORD && WORD.test(text.charAt(start - 1))) start--;
  return beforeLetter(text, start);
}

/** Never splits a surrogate pair or an escape. */
function beforeLetter(text: string, at: number): number {
  if (isBetween(text.charCodeAt(at), 0xdc00) && isBetween(text.charCodeAt(at - 1), 0xd800)) return at - 1;
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return at - ((at - first) % 2);
}

/** Whether a code unit is in the half of the surrogates that starts at `first`. */
function isBetween(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}

function quote(text: string): string {
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}
