import type { Page } from "../text/pieces.ts";

const PLUS = 43;
/** The header of a hunk: of a unified or merge diff, of a plain `diff`, or of `diff -c`. */
const HEAD =
  /^(?:@{2,9} -\d|\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$|\*{3} \d{1,9}(?:,\d{1,9})? \*{4}$)/;
/** The numbers of old and new lines. */
const COUNTS = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
/** The first character of a line in a diff; an empty line may have lost its blank. */
const SIGNS: ReadonlySet<string> = new Set(["", " ", "\t", "+", "-", "!", "\\", "<", ">"]);
/** Quick check: most texts have none of these. */
const MAY_BE_CHANGES = /@@ -\d|^[<>] |^\*{3} \d/m;
/** No header is longer. */
const MOST_READ = 48;
/** An added line; but not the trace of `set -x`, which has one blank between its signs and the command. */
const CAME_IN = /^\+(?!\+? [\w./$"'[])/;

/**
 * Tells whether a line is file content in a diff: an agent edits it by exact match, including its indentation. An
 * added line counts even if a filter removed the header. Bound: each line is read once.
 */
export function createHunkReader(page: Page): (piece: number) => boolean {
  const { text, pieces } = page;
  const lineAt = (piece: number) => {
    const start = pieces.start[piece] as number;
    return text.slice(start, Math.min(pieces.end[piece] as number, start + MOST_READ));
  };
  const cameIn = (piece: number) =>
    text.charCodeAt(pieces.start[piece] as number) === PLUS && CAME_IN.test(lineAt(piece));
  if (!MAY_BE_CHANGES.test(text)) return cameIn;
  const isInside = new Uint8Array(page.end - page.first);
  let left = NONE_LEFT;
  for (let piece = page.first; piece < page.end; piece++) {
    const line = lineAt(piece);
    const sign = line.charAt(0);
    if (HEAD.test(line)) left = linesBelow(line);
    else if (hasMore(left) && SIGNS.has(sign)) left = without(left, sign);
    else {
      left = NONE_LEFT;
      continue;
    }
    isInside[piece - page.first] = 1;
  }
  return (piece) => isInside[piece - page.first] === 1 || cameIn(piece);
}

/** How many old and new lines of the hunk are still to come. */
type Left = { readonly before: number; readonly after: number };

const NONE_LEFT: Left = { before: 0, after: 0 };

/** Without counts in the header, the hunk continues as long as lines have diff signs. */
function linesBelow(head: string): Left {
  const counts = COUNTS.exec(head);
  if (counts === null) return { before: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY };
  const [, before = "1", after = "1"] = counts;
  return { before: Number(before), after: Number(after) };
}

function hasMore({ before, after }: Left): boolean {
  return before > 0 || after > 0;
}

function without({ before, after }: Left, sign: string): Left {
  if (sign === "\\") return { before, after };
  return { before: before - Number(sign !== "+"), after: after - Number(sign !== "-") };
}
