import { ok as assert } from "node:assert/strict";

/** A line as the model sees it. */
type Row = {
  readonly line: string;
  /** True inside a language fence, and for the first and last line of any fence: marks have no meaning there. */
  readonly isFence: boolean;
  /** The lines that a folded line stands for: none for a header line; null if the line is not folded. */
  readonly folded: readonly string[] | null;
};

/** A colour, or an erasure up to the end of the line. */
const ESCAPE = "\\u001b";
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*[mK]`, "g");

const EACH = /^§each of (\d+) lines: (.*)…$/s;

/** Reads the lines of a text one by one; the caller may skip some. */
export function createRows(shown: string) {
  const lines = shown.split("\n");
  let opened: Opened | null = null;
  let each: { left: number; start: string } | null = null;
  let at = 0;

  function next(): Row {
    const line = lines[at++] ?? "";
    if (each !== null && each.left > 0) {
      each.left--;
      return { line, isFence: false, folded: [each.start + line] };
    }
    const fence = fenceOf(line);
    if (fence !== null && opened !== null && fence.quotes < opened.quotes) opened = null;
    if (fence !== null && opened === null && fence.indent < 4 && !fence.isCode) {
      opened = { ...fence, isLanguage: !["", "text", "console", "log"].includes(fence.tag) };
      return { line, isFence: true, folded: null };
    }
    if (fence !== null && opened !== null && isEnd(fence, opened)) {
      opened = null;
      return { line, isFence: true, folded: null };
    }
    if (opened?.isLanguage) return { line, isFence: true, folded: null };
    const shared = EACH.exec(line);
    if (shared === null) return { line, isFence: false, folded: null };
    each = { left: Number(shared[1]), start: shared[2] ?? "" };
    return { line, isFence: false, folded: [] };
  }

  return {
    lines,
    at: () => at,
    isOver: () => at >= lines.length,
    next,
    /** Called after another function has read the lines up to `end`. */
    skipTo(end: number): void {
      at = end;
    },
  };
}

/**
 * The shown text from `from` to a place, or for a number of lines, with folded lines restored: a folded line at
 * either end must be named as a whole.
 */
export function unfold(
  shown: string,
  from: number,
  end: { readonly to: number } | { readonly lines: number },
) {
  const rows = createRows(shown);
  const hasThinGutter = rows.lines.some((line) => /^§lines \d+-\d+, every 5th numbered$/.test(line));
  const said: string[] = [];
  let start = 0;
  while (!rows.isOver()) {
    const row = rows.next();
    const stop = start + row.line.length;
    const isFolded = row.folded !== null && !hasThinGutter;
    if (stop >= from) {
      const isLast = "to" in end && end.to <= stop;
      if (isFolded) {
        assert(from <= start, `a folded line is named from its beginning: ${row.line}`);
        assert(!isLast || ("to" in end && end.to === stop), `a folded line is named to its end: ${row.line}`);
        said.push(...(row.folded ?? []));
      } else {
        said.push(shown.slice(Math.max(from, start), isLast && "to" in end ? end.to : stop));
      }
      if (isLast) return said.join("\n");
      if ("lines" in end && said.length >= end.lines) return said.slice(0, end.lines).join("\n");
    }
    start = stop + 1;
  }
  throw new Error(`${from} to ${JSON.stringify(end)} stands in ${shown}`);
}

export type Signs = {
  readonly quotes: number;
  readonly indent: number;
  readonly signs: string;
  readonly tag: string;
  readonly isCode: boolean;
};
type Opened = Signs & { readonly isLanguage: boolean };

/** By patterns instead of our own steps. */
export function fenceOf(line: string): Signs | null {
  const found = /^([ \t>]*)(`{3,}|~{3,})(.*)$/s.exec(line);
  if (found === null) return null;
  const [, before = "", signs = "", rest = ""] = found;
  const tag = rest.replaceAll(COLOUR, "").trim();
  const quotes = before.split(">").length - 1;
  const blanks = quotes === 0 ? before : before.slice(before.lastIndexOf(">") + 1).replace(" ", "");
  const indent = blanks.replaceAll(/ {0,3}\t/g, "    ").length;
  return { quotes, indent, signs, tag, isCode: signs.startsWith("`") && tag.includes("`") };
}

export function isEnd({ quotes, signs, tag, indent }: Signs, opened: Signs): boolean {
  const most = opened.indent < 4 ? 3 : opened.indent + 3;
  return quotes === opened.quotes && tag === "" && signs.startsWith(opened.signs) && indent <= most;
}
