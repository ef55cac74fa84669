import type { Action } from "./compaction.ts";
import { EVERY, endOfGutter, headerOf } from "./steps/line-numbers.ts";
import { PADDED, type Page } from "./text/pieces.ts";
import type { Replacement } from "./text/replacement.ts";
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
  /** Collects the steps that the writing itself takes. */
  readonly actions: Set<Action>;
};

const TAB = 9;

/**
 * Writes out a page: with its replacements, without the padding of gutters, and with thinned gutters if requested.
 */
export function writePage({ page, replacements, thinsGutters, actions }: Plan): string {
  const { text, pieces } = page;
  const writer = createTextWriter(text);
  let next = 0;
  let gutterEnd = page.first;
  let isThin = false;
  let followsReplacement = false;
  for (let at = page.first; at < page.end; at++) {
    const number = pieces.number[at] as number;
    const start = pieces.start[at] as number;
    if (thinsGutters && number >= 0 && at >= gutterEnd) {
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
      const shown = losesNumber ? endOfNumber(page, at) : endOfPadding(text, start);
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
