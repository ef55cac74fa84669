import type { ColouredLine, Stretch } from "./coloured-lines.ts";

/** Lines in which colours may mark removed or added words. */
export type ChangedLines = {
  readonly first: number;
  readonly end: number;
  readonly by: "letters" | "ground";
  /** Number of the file in a diff that they belong to; -1 if none. */
  readonly file: number;
  /** What the colours mark: whole lines with a sign before each, or words; "either" if it could be both. */
  readonly of: "lines" | "words" | "either" | "unclear";
  /** True if they can be read as changed words among unchanged ones. */
  readonly mayBeWords: boolean;
};

/** The header of a hunk, with the number of old and new lines that follow. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const FILE = /^diff --git /;
const COMMIT = /^commit [\da-f]+/;
/** The legend that mocha prints above a difference. */
const LEGEND = /^\s*actual expected\s*$/;
const INDENT = /^\s*/;

/** Bound: no line is read for more than one hunk or legend. */
export function findChangedLines(lines: readonly ColouredLine[]): ChangedLines[] {
  const found: ChangedLines[] = [];
  let file = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as ColouredLine;
    const hunk = HUNK.exec(line.plain);
    const by = hunk === null && LEGEND.test(line.plain) ? legendOf(line) : null;
    if (FILE.test(line.plain)) file++;
    const counts = { was: Number(hunk?.[1] ?? 1), is: Number(hunk?.[2] ?? 1) };
    if (hunk !== null) found.push({ ...readHunk(lines, at + 1, counts), by: "letters", file });
    else if (by !== null) found.push({ ...readDifference(lines, at, by), by, file: -1 });
    at = hunk !== null || by !== null ? (found.at(-1)?.end ?? at) : at + 1;
  }
  return found;
}

type Counts = { readonly was: number; readonly is: number };
type Read = Omit<ChangedLines, "by" | "file">;

/**
 * Output may be truncated anywhere, and coloured output of another command may follow. So the line where the signs
 * end proves nothing about the ones before it, and a hunk is a word diff only if it is complete and nothing else
 * follows.
 */
function readHunk(lines: readonly ColouredLine[], first: number, counts: Counts): Read {
  const signed = readSigned(lines, first, counts);
  const words = readWords(lines, first, counts);
  const { isMet: mayBeWords } = words;
  const isStopped = !signed.isWhole && signed.end < words.end;
  if (isStopped && (signed.changes === 0 || mayBeWords)) {
    const of = signed.changes === 0 && mayBeWords ? "words" : "unclear";
    return { first, end: words.end, of, mayBeWords };
  }
  const isEither = mayBeWords && (signed.changes === 0 || signed.kept === 0);
  return isEither
    ? { first, end: words.end, of: "either", mayBeWords }
    : { first, end: signed.end, of: "lines", mayBeWords: false };
}

/** How far every line starts with a diff sign, in its colour. */
function readSigned(lines: readonly ColouredLine[], first: number, { was, is }: Counts) {
  let at = first;
  let gone = 0;
  let come = 0;
  let changes = 0;
  let kept = 0;
  for (; at < lines.length && (gone < was || come < is); at++) {
    const { plain, stretches } = lines[at] as ColouredLine;
    const sign = plain.charAt(0).trim();
    if (sign === "\\") continue;
    if (sign !== "" && sign !== "-" && sign !== "+") break;
    const [isGone, isCome] = [sign !== "+", sign !== "-"];
    // Red in an added line, green in a removed one, or either in an unchanged one does not fit a line diff.
    if (stretches.some(({ letters }) => (letters === "gone" && isCome) || (letters === "come" && isGone)))
      break;
    if (isGone) gone++;
    if (isCome) come++;
    if (sign !== "" && stretches[0]?.letters !== "none") changes++;
    if (sign === "" && plain !== "") kept++;
  }
  return { end: at, isWhole: gone === was && come === is, changes, kept };
}

/**
 * Reads up to where something else must begin, or the end of the text; `isMet`: the hunk has as many lines as its
 * header says, if it shows the file with removed words among the current ones. Lines that were joined are not shown,
 * and empty lines have no colour, so it is unknown whether they were removed.
 */
function readWords(lines: readonly ColouredLine[], first: number, { was, is }: Counts) {
  let gone = 0;
  let come = 0;
  let empty = 0;
  let at = first;
  for (; at < lines.length; at++) {
    const { plain, stretches } = lines[at] as ColouredLine;
    if (HUNK.test(plain) || FILE.test(plain) || COMMIT.test(plain)) break;
    // Removed words may continue in the next line.
    const goesOn = stretches.at(-1)?.letters === "gone" && lines[at + 1]?.stretches[0]?.letters === "gone";
    if (stretches.length === 0) empty++;
    else if (stretches.every(({ letters }) => letters === "gone")) gone++;
    else if (!goesOn) come++;
  }
  return { end: at, isMet: gone <= was && come <= is && is <= come + empty };
}

/** Which of a legend's colours are used: foreground or background. Null if neither is. */
function legendOf({ stretches }: ColouredLine): ChangedLines["by"] | null {
  for (const by of ["letters", "ground"] as const) {
    const tones = stretches
      .map((stretch) => stretch[by])
      .filter((tone) => tone === "gone" || tone === "come");
    if (tones.join() === "gone,come") return by;
  }
  return null;
}

/**
 * After a legend and an empty line, the difference is indented as far as the legend, up to the next empty line. If a
 * line has only one colour, or the indented text continues in colours after that, it is unclear what belongs to the
 * difference.
 */
function readDifference(lines: readonly ColouredLine[], legend: number, by: ChangedLines["by"]): Read {
  const indent = indentOf(lines[legend]);
  let end = legend + 1;
  let isOver = false;
  let isUnclear = false;
  let at = isEmpty(lines[end]) ? end + 1 : end;
  for (; at < lines.length; at++) {
    const line = lines[at] as ColouredLine;
    if (isEmpty(line)) isOver = true;
    else {
      if (indentOf(line) < indent || line.stretches.some(isOther)) break;
      const tones = new Set(withoutIndent(line).map((stretch) => stretch[by]));
      const isChange = tones.has("gone") || tones.has("come");
      if (isChange && (isOver || tones.size === 1)) isUnclear = true;
      if (!isOver) end = at + 1;
    }
  }
  return isUnclear
    ? { first: legend, end: at, of: "unclear", mayBeWords: false }
    : { first: legend, end, of: "words", mayBeWords: true };
}

function withoutIndent(line: ColouredLine): readonly Stretch[] {
  const [head] = line.stretches;
  return head !== undefined && head.to - head.from <= indentOf(line)
    ? line.stretches.slice(1)
    : line.stretches;
}

function indentOf(line: ColouredLine | undefined): number {
  return INDENT.exec(line?.plain ?? "")?.[0].length ?? 0;
}

function isEmpty(line: ColouredLine | undefined): boolean {
  return line?.plain.trim() === "";
}

function isOther({ letters, ground }: Stretch): boolean {
  return letters === "other" && ground === "none";
}
