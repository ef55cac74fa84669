import type { Action } from "./compaction.ts";
import { isDigit } from "./text/character-codes.ts";
import { signOf } from "./text/gutter.ts";
import { NUMBERED } from "./text/marks.ts";
import { PADDED, type Page, type Replacement } from "./text/pieces.ts";
import { createTextWriter } from "./text/text-writer.ts";

const SPACE = 32;

/**
 * The spaces that right-align gutter numbers cost a token or two per line and mean nothing. Inverse: none needed,
 * dropping them is a declared normalisation. Bound: the padding itself. Returns its end.
 */
function endOfPadding(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

type Plan = {
  readonly page: Page;
  /** In the order of the page; none crosses the end of a gutter. */
  readonly replacements: readonly Replacement[];
  readonly thinsGutters: boolean;
  readonly may: (step: Action) => boolean;
  /** Collects the steps that the writing itself takes. */
  readonly actions: Set<Action>;
};

const TAB = 9;

/**
 * Writes out a page: with its replacements, without the padding of gutters, and with thinned gutters if requested.
 */
export function writePage({ page, replacements, thinsGutters, may, actions }: Plan): string {
  const { text, pieces } = page;
  const writer = createTextWriter(text);
  const isThinned = thinsGutters && may("line_numbers");
  const dropsPadding = may("gutter_padding");
  let next = 0;
  let gutterEnd = page.first;
  let isThin = false;
  let followsReplacement = false;
  for (let at = page.first; at < page.end; at++) {
    const number = pieces.number[at] as number;
    const start = pieces.start[at] as number;
    if (isThinned && number >= 0 && at >= gutterEnd) {
      gutterEnd = endOfGutter(page, at);
      const replaced = countReplaced(replacements, next, gutterEnd);
      const header = headerOf(page, { first: at, end: gutterEnd, replaced });
      isThin = header !== null;
      if (header !== null) {
        writer.replace(start, start, header);
        // The header says the number of its first line.
        followsReplacement = false;
        actions.add("line_numbers");
      }
    }
    const replacement = replacements[next];
    if (replacement?.first === at) {
      writer.replace(replacement.from, replacement.to, replacement.text);
      at += replacement.count - 1;
      next++;
      followsReplacement = true;
      continue;
    }
    if (number >= 0 || number === PADDED) {
      const losesNumber = isThin && number >= 0 && number % EVERY !== 0 && !followsReplacement;
      const padding = dropsPadding ? endOfPadding(text, start) : start;
      const shown = losesNumber ? endOfNumber(page, at) : padding;
      if (shown > start) {
        writer.replace(start, shown, "");
        if (!losesNumber) actions.add("gutter_padding");
      }
    }
    followsReplacement = false;
  }
  return writer.finish();
}

/**
 * With the separator, unless that is a tab: agents know that what follows it is the line, whose own tabs would
 * otherwise be taken for it.
 */
function endOfNumber({ text, pieces }: Page, piece: number): number {
  const body = pieces.body[piece] as number;
  return text.charCodeAt(body - 1) === TAB ? body - 1 : body;
}

/** How many pieces before `end` are replaced, from the next replacement on. */
function countReplaced(replacements: readonly Replacement[], next: number, end: number): number {
  let count = 0;
  for (let at = next; at < replacements.length; at++) {
    const replacement = replacements[at] as Replacement;
    if (replacement.first >= end) break;
    count += replacement.count;
  }
  return count;
}

/** Every fifth number stays, as in printed editions of law and verse. */
const EVERY = 5;
/** Gutters with fewer visible lines keep all numbers. */
const LEAST_THINNED = 10;

/** Its pieces, and how many of them are replaced. */
type Gutter = { readonly first: number; readonly end: number; readonly replaced: number };

/**
 * Full gutters cost two tokens per line to say what counting says. At level `structural` a header line states the
 * range, and only every fifth number stays, and the one after a replacement. Not if a line itself starts with a
 * number and the same separator. Inverse: `expandLines` of the decoder counts the lines again. Bound: each line is read
 * once.
 */
function headerOf(page: Page, { first, end, replaced }: Gutter): string | null {
  if (end - first - replaced < LEAST_THINNED) return null;
  const { text, pieces } = page;
  const sign = signOf(page, first);
  for (let piece = first; piece < end; piece++) {
    let at = pieces.body[piece] as number;
    while (text.charCodeAt(at) === SPACE) at++;
    const number = at;
    while (isDigit(text.charCodeAt(at))) at++;
    // Without its gutter number, such a line's own number would be taken for one.
    if (at > number && text.startsWith(sign, at)) return null;
  }
  const number = pieces.number[first] as number;
  return `${NUMBERED}${number}-${number + end - first - 1}, every ${EVERY}th numbered\n`;
}

function endOfGutter({ pieces, end }: Page, first: number): number {
  let at = first + 1;
  while (at < end && pieces.number[at] === (pieces.number[at - 1] as number) + 1) at++;
  return at;
}
