import { screenOf } from "./screen-testing.ts";

const NUMBERED = /^( *)([1-9]\d{0,6})(?:([\t|→│ ])|$)/;
const LOOK_ALIKES = /§ ?(?=same|lines|each|repeated|indented|json|cols|key)/g;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;

/**
 * The kind of a tool's results: only output is cleaned, and only "data" and "search" lose the white space of their
 * JSON.
 */
export type Results = "file" | "search" | "shell" | "data";

/**
 * An independent definition of the declared normalisations, by patterns instead of our own steps: the two results are
 * equal exactly if the shown text differs from the original only in what is declared.
 */
export function canonical(shown: string, original: string, results: Results): [string, string] {
  const [one, other] = [shown, original].map((text) => plainOf(text, results).split("\n")) as [
    string[],
    string[],
  ];
  // Only the original decides what is padding: a line outside of a gutter is compared including its indent.
  const gutters = gutterLines(other, results);
  return [one, other].map((lines) => {
    const text = lines.map((line, at) => (gutters.has(at) ? withoutPadding(line) : line)).join("\n");
    return results === "data" || results === "search" ? withoutSpace(text) : text;
  }) as [string, string];
}

function plainOf(text: string, results: Results): string {
  const marked = text.replaceAll(LOOK_ALIKES, "");
  if (results === "file") return marked;
  return screenOf(marked);
}

/** Indices of the lines with gutter numbers; `isGutter` says what consecutive numbers need in addition. */
function gutterLines(lines: readonly string[], results: Results): ReadonlySet<number> {
  const found = new Set<number>();
  const isScreen = /^ *⎿/.test(lines[0] ?? "");
  const read = lines.map((line) => NUMBERED.exec(line));
  for (let first = 0, at = 0; first < lines.length; first = at) {
    const widths = new Set<number>();
    const digits = new Set<number>();
    for (at = first; at < lines.length; at++) {
      const [, padding = "", number = "", sign = " "] = read[at] ?? [];
      const [, , before = "", signBefore = " "] = (at > first && read[at - 1]) || [];
      if (number === "" || (at > first && (+number !== +before + 1 || sign !== signBefore))) break;
      const width = padding.length + number.length;
      if (at > first && padding !== "" && !widths.has(width)) break;
      widths.add(width);
      digits.add(number.length);
    }
    const run = read.slice(first, at).map((found) => found as RegExpExecArray);
    const above = first > 0 && !found.has(first - 1) ? (lines[first - 1] ?? "") : "";
    const isProved = digits.size > widths.size || (isScreen && run[0]?.[1] !== "");
    const isSigned = isScreen || (run[0]?.[3] ?? " ") !== " ";
    if (isSigned && run.length >= 3 && isGutter(run, { above, results, isProved }))
      for (let line = first; line < at; line++) found.add(line);
    at = Math.max(at, first + 1);
  }
  const all = found.size === 0 && results === "file" ? looseLines(lines) : found;
  return all.size * 3 >= lines.length ? all : new Set();
}

/** A line without content may also have lost the blank after its separator. */
function withoutPadding(line: string): string {
  return line.trimStart().replace(/^(L?\d+(?: ?[|→│]|:)) $/, "$1");
}

/** Five lines or more with consecutive numbers before a colon or a bar, some of them indented or empty. */
function looseLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const read = lines.map((line) => /^ *(L?)0*([1-9]\d{0,6})( ?[|→│]|:)(.*)$/s.exec(line));
  for (let first = 0, at = 0; first < lines.length; first = at) {
    const isNext = (one: RegExpExecArray | null | undefined, next: RegExpExecArray | null | undefined) =>
      next?.[1] === one?.[1] && next?.[3] === one?.[3] && Number(next?.[2]) === Number(one?.[2]) + 1;
    for (at = first + 1; at < lines.length && isNext(read[at - 1], read[at]); ) at++;
    const isSet = read
      .slice(first, at)
      .some((line) => /^(?: ?$|[+-]?(?: {2}|\t| ?$))/.test(line?.[4] ?? "x"));
    const isIndented = read.slice(first, at).some((line) => /^[+-]?[ \t]/.test(line?.[4] ?? "x"));
    if (at - first >= 5 && (isSet || isIndented)) for (let line = first; line < at; line++) found.add(line);
  }
  return found;
}

type Around = { readonly above: string; readonly results: Results; readonly isProved: boolean };

/**
 * Data has no gutters. An arrow after the numbers is enough. Otherwise a table with a header is no gutter, and the
 * numbers must be right-aligned, as wide as those of a listing, or precede the text of a file.
 */
function isGutter(run: readonly RegExpExecArray[], { above, results, isProved }: Around): boolean {
  const [start = "", padding, number, sign = " "] = run[0] ?? [];
  if (results === "data" || results === "search") return false;
  if (sign === "→") return true;
  const isColumn = "\t|│".includes(sign);
  if (isColumn && above.includes(sign)) return false;
  if (isProved || (isColumn && padding !== "" && start.length === 7)) return true;
  if (results !== "file" || !isColumn) return false;
  const bodies = run.map((found) => found.input.slice(found[0].length));
  const fields = new Set(bodies.map((body) => body.split(sign).length));
  const isBroken = number === "1" || bodies.some((body) => /^[+-]?(?:[ \t]|$)/.test(body));
  return isBroken && (fields.size > 1 || fields.has(1));
}

/** Drops the white space of JSON, if the text is JSON from one of its first lines on. */
function withoutSpace(text: string): string {
  const [first = "", second = ""] = text.split("\n");
  const [run = ""] = /^(?:.*\n){1,5}Output:\n/.exec(text) ?? [];
  const [head = ""] = /^HTTP\/[\s\S]*?\n\r?\n(?=[[{])/.exec(text) ?? [];
  for (const lead of ["", `${first}\n`, `${first}\n${second}\n`, run, head]) {
    const rest = text.slice(lead.length);
    if (isJson(rest)) return lead + rest.replaceAll(STRINGS_AND_SPACE, "$1");
  }
  return text;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
