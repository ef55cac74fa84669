import { isBlank } from "../text/character-codes.ts";
import { createSearch, isQuotationSign, OUTPUT_TAGS } from "./scan-fences.ts";

const LINE_BREAK = "\\n";
const QUOTES = "\"'";
const BACKSLASH = 92;

/** From the signs that open it to those that close it. */
type QuotedFence = { readonly from: number; readonly to: number };

/** The signs of a fence at the start of a line of a text in quotes. */
type Signs = {
  readonly from: number;
  readonly sign: number;
  readonly count: number;
  readonly tag: string;
  /** Behind the tag. */
  readonly end: number;
};

/**
 * Fences in some language in texts that stand in quotes, with escapes for their line breaks: in JSON, and in calls that a
 * model wrote down. One that is not closed goes to the end of its line. Time is linear in the text.
 */
export function scanQuotedFences(text: string): QuotedFence[] {
  const found: QuotedFence[] = [];
  const next = createSearch(text);
  let opened: Signs | null = null;
  let lineEnd = -1;
  for (let at = next(0); at < text.length; ) {
    if (at > lineEnd) {
      if (opened !== null) found.push({ from: opened.from, to: lineEnd });
      opened = null;
      const end = text.indexOf("\n", at);
      lineEnd = end < 0 ? text.length : end;
    }
    const signs = readSigns(text, at, lineEnd);
    if (signs.from >= 0 && opened === null) opened = opens(text, signs) ? signs : null;
    else if (signs.from >= 0 && opened !== null && closes(signs, opened)) {
      found.push({ from: opened.from, to: signs.end });
      opened = null;
    }
    at = next(signs.end);
  }
  if (opened !== null) found.push({ from: opened.from, to: lineEnd });
  return found;
}

/** It begins at -1 where the signs stand in a line. */
function readSigns(text: string, at: number, lineEnd: number): Signs {
  const sign = text.charCodeAt(at);
  let behind = at;
  while (text.charCodeAt(behind) === sign) behind++;
  let from = at;
  while (isBlank(text.charCodeAt(from - 1)) || isQuotationSign(text.charCodeAt(from - 1))) from--;
  if (!isLineStart(text, from)) return { from: -1, sign, count: 0, tag: "", end: behind };
  let end = behind;
  while (end < lineEnd && text.charCodeAt(end) !== BACKSLASH && !QUOTES.includes(text[end] as string)) end++;
  return { from, sign, count: behind - at, tag: text.slice(behind, end).trim(), end };
}

/** Behind a quote, or behind a line break that is written as an escape. */
function isLineStart(text: string, at: number): boolean {
  if (at === 0) return false;
  if (!text.startsWith(LINE_BREAK, at - 2)) return QUOTES.includes(text[at - 1] as string);
  let first = at - 2;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - 2 - first) % 2 === 0;
}

/** With something in it: programs have the first lines of fences in quotes, too. */
function opens(text: string, { tag, end }: Signs): boolean {
  const inside = text.startsWith("\\r", end) ? end + 2 : end;
  if (OUTPUT_TAGS.has(tag) || tag.includes("`") || !text.startsWith(LINE_BREAK, inside)) return false;
  const first = text[inside + LINE_BREAK.length] ?? "";
  return first !== "" && !QUOTES.includes(first);
}

function closes({ sign, count, tag }: Signs, opened: Signs): boolean {
  return sign === opened.sign && count >= opened.count && tag === "";
}
