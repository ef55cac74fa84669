import type { Label } from "../calls/origin.ts";
import type { Page } from "../text/pieces.ts";
import type { ShownPlaces } from "./shown-places.ts";
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
  /** Where its pieces are in `shown` if some are folded; null if the pieces shown are unchanged. */
  readonly places: ShownPlaces | null;
};

/** Characters quoted to identify the start or end of a block: more if fewer are ambiguous. */
const QUOTED = [14, 28, 56];
const BACKSLASH = 92;
/** Words up to this length are not cut. */
const LONGEST_WORD = 16;

/** Whether a piece can be identified by its line number. */
export function hasNumber({ page, hasClearNumbers }: Source, piece: number): boolean {
  return hasClearNumbers && (page.pieces.number[piece] as number) >= 0;
}

/** Names lines by their numbers; null if the model sees none. `number` is the block's own first number. */
export function nameByNumbers(block: Block, source: Source, number: number): string | null {
  if (!hasNumber(source, block.source)) return null;
  const from = source.page.pieces.number[block.source] as number;
  if (from === number) return `in ${source.label()}`;
  return `lines ${from}-${from + block.count - 1} of ${source.label()}`;
}

/**
 * Names a block by quoting its start and end, or its start and number of lines. A reader who searches for the first
 * occurrence of the quotes finds exactly the block; null if no quotes achieve that.
 */
export function nameByWords(said: string, { label, shown }: Source): string | null {
  const head = headOf(said, shown);
  if (head === null) return null;
  const start = shown.indexOf(head);
  const end = start + said.length;
  const lastLine = said.lastIndexOf("\n") + 1;
  for (const size of QUOTED) {
    const tail = said.slice(wordStart(said, Math.max(lastLine, said.length - size), lastLine));
    const isClear = shown.indexOf(tail, start + head.length) + tail.length === end;
    if (isClear && tail !== "") return `${label()} from ${quote(head)} to ${quote(tail)}`;
  }
  const isLineEnd = end === shown.length || shown.charCodeAt(end) === 10;
  return isLineEnd ? `${label()} from ${quote(head)}, ${countLines(said)} lines` : null;
}

/**
 * A range of the shown text (of whole lines where it starts or ends with a folded one), and how many lines it stands
 * for.
 */
type Stretch = { readonly from: number; readonly to: number; readonly lines: number };

/**
 * The same for folded lines: quotes what is shown of the first and the last one. The first occurrence of the start
 * quote is where the range begins, and the next one of the end quote where it ends; null if no quotes achieve that.
 */
export function nameByOwnWords({ from, to, lines }: Stretch, { label, shown }: Source): string | null {
  const lineEnd = shown.indexOf("\n", from);
  const limit = lineEnd < 0 || lineEnd > to ? to : lineEnd;
  const head = QUOTED.map((size) =>
    shown.slice(from, wordEnd(shown, Math.min(from + size, limit), limit)),
  ).find((words) => shown.indexOf(words) === from);
  if (head === undefined || head === "") return null;
  const lastLine = Math.max(from + head.length, shown.lastIndexOf("\n", to - 1) + 1);
  for (const size of QUOTED) {
    const tail = shown.slice(wordStart(shown, Math.max(lastLine, to - size), lastLine), to);
    const isClear = shown.indexOf(tail, from + head.length) + tail.length === to;
    if (isClear && tail !== "") return `${label()} from ${quote(head)} to ${quote(tail)}`;
  }
  const isLineEnd = to === shown.length || shown.charCodeAt(to) === 10;
  return isLineEnd ? `${label()} from ${quote(head)}, ${lines} lines` : null;
}

/** The shortest beginning that occurs nowhere else; else the longest that does not occur earlier. */
function headOf(said: string, shown: string): string | null {
  const lineEnd = said.indexOf("\n");
  const limit = lineEnd < 0 ? said.length : lineEnd;
  let best: string | null = null;
  for (const size of QUOTED) {
    const head = said.slice(0, wordEnd(said, Math.min(size, limit), limit));
    const start = shown.indexOf(head);
    if (start < 0) return null;
    if (!shown.startsWith(said, start)) continue;
    best = head;
    if (shown.indexOf(head, start + 1) < 0) break;
  }
  return best;
}

function wordEnd(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && end - at < LONGEST_WORD && isLetter(text.charCodeAt(end))) end++;
  return end < limit ? beforeLetter(text, end) : end;
}

function wordStart(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && at - start < LONGEST_WORD && isLetter(text.charCodeAt(start - 1))) start--;
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

/** ASCII letters and digits, and everything beyond ASCII. */
function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code > 127
  );
}

function quote(text: string): string {
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}

export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
