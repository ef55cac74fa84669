import { isBlank } from "../text/character-codes.ts";
import { createSearch, isQuotationSign, OUTPUT_TAGS } from "./scan-fences.ts";

const LINE_BREAK = "\\n";
const QUOTES = "\"'";
const BACKSLASH = 92;

/** From the opening signs to the closing ones. */
type QuotedFence = { readonly from: number; readonly to: number };

/** The signs of a fence at the start of a line inside a quoted text. */
type Signs = {
  readonly from: number;
  readonly sign: number;
  readonly count: number;
  readonly tag: string;
  /** Offset after the tag. */
  readonly end: number;
};

/**
 * Language fences inside quoted texts with escaped line breaks: in JSON, and in tool calls that a model wrote as
 * text. An unclosed one extends to the end of its line. Time is linear in the text.
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

/** `from` is -1 if the signs are not at the start of a line. */
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

/** After a quote, or after an escaped line break. */
function isLineStart(text: string, at: number): boolean {
  if (at === 0) return false;
  if (!text.startsWith(LINE_BREAK, at - 2)) return QUOTES.includes(text[at - 1] as string);
  let first = at - 2;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - 2 - first) % 2 === 0;
}

/** Requires content: programs also have the first lines of fences in quotes. */
function opens(text: string, { tag, end }: Signs): boolean {
  const inside = text.startsWith("\\r", end) ? end + 2 : end;
  if (OUTPUT_TAGS.has(tag) || tag.includes("`") || !text.startsWith(LINE_BREAK, inside)) return false;
  const first = text[inside + LINE_BREAK.length] ?? "";
  return first !== "" && !QUOTES.includes(first);
}

function closes({ sign, count, tag }: Signs, opened: Signs): boolean {
  return sign === opened.sign && count >= opened.count && tag === "";
}
