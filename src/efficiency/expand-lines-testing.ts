import { assert } from "../kit/index.ts";
import { type Known, resolveReference, SAME_MARK } from "./expand-references-testing.ts";
import { screenOf } from "./screen-testing.ts";

/** The inverse of the steps that work on lines: references, thinned gutters, repeated lines, shared starts. */
export function expandLines(shown: string, known: readonly Known[], isModel: boolean): string {
  const lines = shown.split("\n");
  const written: string[] = [];
  let opened: Opened | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const repeated = /^§repeated (\d+) times$/.exec(line);
    const each = /^§each of (\d+) lines: (.*)…(.*)$/s.exec(line);
    const numbered = /^§lines (\d+)-(\d+), every 5th numbered$/.exec(line);
    const fence = fenceOf(line);
    if (fence !== null && opened !== null && fence.quotes < opened.quotes) opened = null;
    if (fence !== null && opened === null && (isModel || fence.indent < 4) && !fence.isCode) {
      opened = { ...fence, isLanguage: !["", "json", "text", "console", "log"].includes(fence.tag) };
      written.push(line);
    } else if (fence !== null && opened !== null && isEnd(fence, opened)) {
      opened = null;
      written.push(line);
    } else if (opened?.isLanguage) written.push(line);
    else if (repeated !== null) {
      const again = written.at(-1) ?? "";
      for (let time = 0; time < Number(repeated[1]); time++) written.push(again);
    } else if (each !== null) {
      for (let own = 0; own < Number(each[1]); own++) written.push(`${each[2]}${lines[++at]}${each[3]}`);
    } else if (numbered !== null) {
      const gutter = readGutter(lines, at + 1, {
        first: Number(numbered[1]),
        last: Number(numbered[2]),
        known,
      });
      written.push(...gutter.lines);
      at = gutter.end - 1;
    } else written.push(...expandLine(line, known));
  }
  return written.join("\n");
}

type Signs = {
  readonly quotes: number;
  readonly indent: number;
  readonly signs: string;
  readonly tag: string;
  readonly isCode: boolean;
};
type Opened = Signs & { readonly isLanguage: boolean };

/** By patterns, and not as our own steps find it. */
function fenceOf(line: string): Signs | null {
  const found = /^([ \t>]*)(`{3,}|~{3,})(.*)$/s.exec(line);
  if (found === null) return null;
  const [, before = "", signs = "", rest = ""] = found;
  const tag = screenOf(rest).trim();
  const quotes = before.split(">").length - 1;
  const blanks = quotes === 0 ? before : before.slice(before.lastIndexOf(">") + 1).replace(" ", "");
  const indent = blanks.replaceAll(/ {0,3}\t/g, "    ").length;
  return { quotes, indent, signs, tag, isCode: signs.startsWith("`") && tag.includes("`") };
}

function isEnd({ quotes, signs, tag, indent }: Signs, opened: Opened): boolean {
  const most = opened.indent < 4 ? 3 : opened.indent + 3;
  return quotes === opened.quotes && tag === "" && signs.startsWith(opened.signs) && indent <= most;
}

/** One line, which may hold references to several. */
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

/** The lines of a thinned gutter, counted on from number to number. */
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
