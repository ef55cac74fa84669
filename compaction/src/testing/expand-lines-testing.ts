import { ok as assert } from "node:assert/strict";
import { type Known, resolveReference, SAME_MARK } from "./expand-references-testing.ts";
import { createRows } from "./shown-rows-testing.ts";

/** The inverse of the steps that work on lines: references, thinned gutters, repeated lines, common beginnings. */
export function expandLines(shown: string, known: readonly Known[]): string {
  const rows = createRows(shown);
  const written: string[] = [];
  while (!rows.isOver()) {
    const { line, isFence, folded } = rows.next();
    const numbered = isFence ? null : /^§lines (\d+)-(\d+), every 5th numbered(?: like "(.*)")?$/.exec(line);
    if (folded !== null) written.push(...folded);
    else if (isFence) written.push(line);
    else if (numbered !== null) {
      const [first, last] = [Number(numbered[1]), Number(numbered[2])];
      const gutter = readGutter(rows.lines, rows.at(), { first, last, known, like: numbered[3] ?? null });
      written.push(...gutter.lines);
      rows.skipTo(gutter.end, written.at(-1) ?? "");
    } else {
      written.push(...expandLine(line, known));
      rows.skipTo(rows.at(), written.at(-1) ?? "");
    }
  }
  return written.join("\n");
}

/** Expands one line, which may contain references to several. */
function expandLine(line: string, known: readonly Known[]): string[] {
  const numbered = numberedReference(line, known);
  if (numbered !== null)
    return numbered.bodies.map((body, at) => numbered.gutter(numbered.first + at) + body);
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
  const loose = LOOSE_REFERENCE.exec(line);
  const found = loose ?? /^(\d+)-(\d+)([\t|→│])([ \t]*)§same as /.exec(line);
  if (found === null) return null;
  const [mark, from = "", to = "", sign = "", blanks = ""] = found;
  const numbers = [numberOf(from), numberOf(to)] as const;
  const start = mark.length - SAME_MARK.length;
  const { text, end } = resolveReference({ text: line, start, known, numbers });
  assert(end === line.length, `nothing stands behind ${line}`);
  const bodies = (blanks + text).split("\n");
  return {
    first: numbers[0],
    last: numbers[1],
    sign,
    bodies,
    gutter: (at: number) => nameLike(from, at) + sign,
  };
}

/** With a letter, zeros, a colon or blanks around a bar: such a sign includes the blank after it. */
const LOOSE_REFERENCE = /^(?=L|0|\d+-\d+:|\d+-\d+ )(L?\d+)-(L?\d+)( *[:|→│] ?)()§same as /;

function numberOf(name: string): number {
  return Number(name.replace("L", ""));
}

/** Another number, written like this one. */
function nameLike(name: string, number: number): string {
  const isFilled = /^L?0/.test(name);
  return (
    (name.startsWith("L") ? "L" : "") +
    String(number).padStart(isFilled ? name.replace("L", "").length : 0, "0")
  );
}

type Range = {
  readonly first: number;
  readonly last: number;
  readonly known: readonly Known[];
  /** How a number is written, with what follows it; null if a single sign does. */
  readonly like: string | null;
};

/** Whether a tab stands behind the numbers, as the first one that is shown says. */
function hasTab(lines: readonly string[]): boolean {
  const [, sign] = lines.map((line) => /^\d*(?:[05]|\d-\d+)([\t|→│])/.exec(line)).find(Boolean) ?? [];
  return sign === "\t";
}

/** Reads the lines of a thinned gutter, counting between its numbers. */
function readGutter(lines: readonly string[], start: number, { first, last, known, like }: Range) {
  const [, name = "1", written = ""] = /^(L?\d+)(.*)$/.exec(like ?? "") ?? [];
  const bodies: string[] = [];
  const isTabbed = hasTab(lines.slice(start));
  let sign = "";
  let at = start;
  let followsReference = false;
  while (first + bodies.length <= last) {
    const number = first + bodies.length;
    const line = lines[at++] ?? "";
    const reference = numberedReference(line, known);
    if (reference !== null && reference.first === number) {
      bodies.push(...reference.bodies);
      sign = reference.sign ?? "";
    } else if (number % 5 === 0 || followsReference) {
      const gutter = nameLike(name, number) + written;
      const isEmpty = like !== null && line === gutter.trimEnd();
      const found = like === null ? new RegExp(`^${number}(.)(.*)$`, "s").exec(line) : null;
      assert(
        found !== null || isEmpty || (like !== null && line.startsWith(gutter)),
        `line ${number} has its number: ${line}`,
      );
      sign = found?.[1] ?? written;
      bodies.push(found?.[2] ?? (isEmpty ? "" : line.slice(gutter.length)));
    } else {
      assert(!isTabbed || line.startsWith("\t"), `line ${number} keeps the tab behind its number: ${line}`);
      bodies.push(isTabbed ? line.slice(1) : line);
    }
    followsReference = reference !== null;
  }
  return { lines: bodies.map((body, index) => nameLike(name, first + index) + sign + body), end: at };
}
