import { createTextWriter } from "../text/text-writer.ts";
import { type ChangedLines, findChangedLines } from "./changed-lines.ts";
import { type ColouredLine, readColouredLines, type Tone } from "./coloured-lines.ts";
import { isToldByColours } from "./colours-alone.ts";

/** Words that went or came, with nothing but their colour to say so. */
type WordChange = { readonly from: number; to: number; readonly tone: "gone" | "come" };

/** As git writes them where it has no colours. */
const MARKS = { gone: ["[-", "-]"], come: ["{+", "+}"] } as const;

/** Every sequence that sets one has this, and little else does. */
const COLOUR = /\[[ -?]+m/;

/**
 * The words that only their colours say to be gone or new: in what git shows with `--color-words`, and mocha with
 * `--inline-diffs`. Red alone says nothing: errors are red, too. Null where that is not certain, marks could not be told
 * from what is said, or colours say something else that nothing else does. Bound: each line is read a few times.
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

/** Writes the marks of changes into the parts of a text, which are given from left to right, with where each begins. */
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

/** With `--word-diff`, git writes its marks in colours as well. */
function isMarked(text: string, { from, to, tone }: WordChange): boolean {
  const [opening, closing] = MARKS[tone];
  return text.startsWith(opening, from) && text.endsWith(closing, to);
}

/** Whether nothing else in a line looks like a mark, and no change like the end of its own. */
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
