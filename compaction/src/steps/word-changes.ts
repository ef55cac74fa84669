import { createTextWriter } from "../text/text-writer.ts";
import { type ChangedLines, findChangedLines } from "./changed-lines.ts";
import { type ColouredLine, readColouredLines, type Tone } from "./coloured-lines.ts";
import { isToldByColours } from "./colours-alone.ts";

/** Removed or added words that are marked only by their colour. */
type WordChange = { readonly from: number; to: number; readonly tone: "gone" | "come" };

/** The marks that git uses without colours. */
const MARKS = { gone: ["[-", "-]"], come: ["{+", "+}"] } as const;

/** Every colour sequence contains this, and little else does. */
const COLOUR = /\[[ -?]+m/;

/**
 * The words that only colours mark as removed or added: in the output of `git diff --color-words` and `mocha
 * --inline-diffs`. Red alone proves nothing, since errors are red, too. Null if it is uncertain, if marks would be
 * ambiguous, or if colours carry other information that nothing else does. Bound: each line is read a few times.
 */
export function findWordChanges(text: string): readonly WordChange[] | null {
  if (!COLOUR.test(text)) return [];
  const lines = readColouredLines(text);
  const mayHaveMarks = text.includes("@@ -") || text.includes("actual\x1b[");
  const found = mayHaveMarks ? findChangedLines(lines) : [];
  if (found.length === 0) return isToldByColours(text, lines) ? null : [];
  const files = new Set(found.flatMap(({ of, file }) => (of === "words" ? [file] : [])));
  const changes: WordChange[] = [];
  for (const some of found) {
    const isOfWords = files.has(some.file);
    if (!isOfWords && (some.of === "lines" || some.of === "either")) continue;
    const isTold = isOfWords && some.mayBeWords;
    for (const line of lines.slice(some.first, some.end)) {
      const own = changesOf(line, some).filter((change) => !isMarked(text, change));
      if (own.length > 0 && !(isTold && isClear(text, line, own))) return null;
      for (const change of own) changes.push(change);
    }
  }
  return changes;
}

/**
 * Returns a function that inserts the marks of changes into the parts of a text, given from left to right with their
 * offsets.
 */
export function createMarker(changes: readonly WordChange[]): (part: string, start: number) => string {
  let next = 0;
  return (part, start) => {
    const writer = createTextWriter(part);
    for (; next < changes.length; next++) {
      const { from, to, tone } = changes[next] as WordChange;
      if (from < start) continue;
      if (to > start + part.length) break;
      const [opening, closing] = MARKS[tone];
      writer.replace(from - start, from - start, opening);
      writer.replace(to - start, to - start, closing);
    }
    return writer.finish();
  };
}

function changesOf({ stretches }: ColouredLine, { by }: ChangedLines): WordChange[] {
  const changes: WordChange[] = [];
  let before: Tone = "none";
  for (const { [by]: tone, from, to } of stretches) {
    if (tone === "gone" || tone === "come") {
      const last = tone === before ? changes.at(-1) : undefined;
      if (last === undefined) changes.push({ from, to, tone });
      else last.to = to;
    }
    before = tone;
  }
  return changes;
}

/** With `--word-diff`, git colours its own marks as well. */
function isMarked(text: string, { from, to, tone }: WordChange): boolean {
  const [opening, closing] = MARKS[tone];
  return text.startsWith(opening, from) && text.endsWith(closing, to);
}

/**
 * Whether marks would be unambiguous: nothing else in the line looks like one, and no change contains its closing
 * mark.
 */
function isClear(text: string, { stretches }: ColouredLine, changes: readonly WordChange[]): boolean {
  let rest = "";
  let at = stretches[0]?.from ?? 0;
  for (const { from, to, tone } of changes) {
    if (text.slice(from, to).includes(MARKS[tone][1])) return false;
    rest += text.slice(at, from);
    at = to;
  }
  rest += text.slice(at, stretches.at(-1)?.to);
  return Object.values(MARKS).every(([opening, closing]) => {
    const opened = rest.indexOf(opening);
    return opened < 0 || !rest.includes(closing, opened + opening.length);
  });
}
