import { ok as assert } from "node:assert/strict";
import { type Known, resolveReference, SAME_MARK } from "./expand-references.ts";
import { createRows } from "./shown-rows.ts";

/** What may stand between the number of a line and the line. */
const SIGN = "\t|→|: | \\| ";
const RANGE = /^§lines (\d+)-(\d+), every 5th numbered$/;
const NUMBERED_REFERENCE = new RegExp(`^(\\d+)-(\\d+)(${SIGN})([ \t]*)§same as `);

/** The inverse of the steps that work on lines: references, thinned gutters, common beginnings. */
export function expandLines(shown: string, known: readonly Known[]): string {
  const rows = createRows(shown);
  const written: string[] = [];
  while (!rows.isOver()) {
    const { line, isFence, folded } = rows.next();
    const numbered = isFence ? null : RANGE.exec(line);
    if (folded !== null) written.push(...folded);
    else if (isFence) written.push(line);
    else if (numbered !== null) {
      const range = { first: Number(numbered[1]), last: Number(numbered[2]), known };
      const gutter = readGutter(rows.lines, rows.at(), range);
      written.push(...gutter.lines);
      rows.skipTo(gutter.end);
    } else written.push(...expandLine(line, known));
  }
  return written.join("\n");
}

/** Expands one line, which may contain references to several. */
function expandLine(line: string, known: readonly Known[]): string[] {
  const numbered = numberedReference(line, known);
  if (numbered !== null)
    return numbered.bodies.map((body, at) => `${numbered.first + at}${numbered.sign}${body}`);
  let written = "";
  let copied = 0;
  for (let at = line.indexOf(SAME_MARK); at >= 0; at = line.indexOf(SAME_MARK, copied)) {
    const { text, end } = resolveReference({ text: line, start: at, known });
    written += line.slice(copied, at) + text;
    copied = end;
  }
  return (written + line.slice(copied)).split("\n");
}

function numberedReference(line: string, known: readonly Known[]) {
  const found = NUMBERED_REFERENCE.exec(line);
  if (found === null) return null;
  const [mark, from = "", to = "", sign = "", blanks = ""] = found;
  const numbers = [Number(from), Number(to)] as const;
  const start = mark.length - SAME_MARK.length;
  const { text, end } = resolveReference({ text: line, start, known, numbers });
  assert(end === line.length, `nothing stands behind ${line}`);
  return { first: numbers[0], sign, bodies: (blanks + text).split("\n") };
}

type Range = { readonly first: number; readonly last: number; readonly known: readonly Known[] };

/** What stands behind the numbers, as the first one that is shown says. */
function signIn(lines: readonly string[]): string {
  const shown = new RegExp(`^\\d*(?:[05]|\\d-\\d+)(${SIGN})`);
  return lines.map((line) => shown.exec(line)).find(Boolean)?.[1] ?? "";
}

/** Reads the lines of a thinned gutter, counting between its numbers. Behind a tab stands the line, always. */
function readGutter(lines: readonly string[], start: number, { first, last, known }: Range) {
  const bodies: string[] = [];
  const sign = signIn(lines.slice(start));
  const silent = sign === "\t" ? sign : "";
  let at = start;
  let followsReference = false;
  while (first + bodies.length <= last) {
    const number = first + bodies.length;
    const line = lines[at++] ?? "";
    const reference = numberedReference(line, known);
    const isReference = reference !== null && reference.first === number;
    const before = number % 5 === 0 || followsReference ? `${number}${sign}` : silent;
    assert(isReference || line.startsWith(before), `line ${number} begins with ${before}: ${line}`);
    bodies.push(...(isReference ? reference.bodies : [line.slice(before.length)]));
    followsReference = isReference;
  }
  return { lines: bodies.map((body, index) => `${first + index}${sign}${body}`), end: at };
}
