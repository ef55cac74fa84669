import { assert } from "../../kit/index.ts";
import { type Known, resolveReference, SAME_MARK } from "./expand-references-testing.ts";
import { createRows } from "./shown-rows-testing.ts";

/** The inverse of the steps that work on lines: references, thinned gutters, repeated lines, common beginnings. */
export function expandLines(shown: string, known: readonly Known[], isModel: boolean): string {
  const rows = createRows(shown, isModel);
  const written: string[] = [];
  while (!rows.isOver()) {
    const { line, isFence, folded } = rows.next();
    const numbered = isFence ? null : /^§lines (\d+)-(\d+), every 5th numbered$/.exec(line);
    if (folded !== null) written.push(...folded);
    else if (isFence) written.push(line);
    else if (numbered !== null) {
      const [first, last] = [Number(numbered[1]), Number(numbered[2])];
      const gutter = readGutter(rows.lines, rows.at(), { first, last, known });
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
  const found = /^(\d+)-(\d+)([\t:|→│])([ \t]*)§same as /.exec(line);
  if (found === null) return null;
  const [mark, first, last, sign, blanks] = found;
  const numbers = [Number(first), Number(last)] as const;
  const start = mark.length - SAME_MARK.length;
  const { text, end } = resolveReference({ text: line, start, known, numbers });
  assert(end === line.length, `nothing stands behind ${line}`);
  return { first: numbers[0], last: numbers[1], sign, bodies: (blanks + text).split("\n") };
}

type Range = { readonly first: number; readonly last: number; readonly known: readonly Known[] };

/** Reads the lines of a thinned gutter, counting between its numbers. */
function readGutter(lines: readonly string[], start: number, { first, last, known }: Range) {
  const bodies: string[] = [];
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
      const found = new RegExp(`^${number}(.)(.*)$`, "s").exec(line);
      assert(found !== null, `line ${number} has its number: ${line}`);
      sign = found[1] ?? "";
      bodies.push(found[2] ?? "");
    } else bodies.push(line);
    followsReference = reference !== null;
  }
  return { lines: bodies.map((body, index) => `${first + index}${sign}${body}`), end: at };
}
