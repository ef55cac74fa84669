import type { Page } from "../text/pieces.ts";

const PLUS = 43;
/** Above the changes of a file, and of a merge; and above those that `diff` shows without options, or with `-c`. */
const HEAD =
  /^(?:@{2,9} -\d|\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$|\*{3} \d{1,9}(?:,\d{1,9})? \*{4}$)/;
/** Of how many lines there were, and of how many there are. */
const COUNTS = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
/** Before a line that stayed, went, came or changed; an empty line may have lost its sign. */
const SIGNS: ReadonlySet<string> = new Set(["", " ", "\t", "+", "-", "!", "\\", "<", ">"]);
/** Most texts have none of these, and are not read. */
const MAY_BE_CHANGES = /@@ -\d|^[<>] |^\*{3} \d/m;
/** No head that counts is longer. */
const MOST_READ = 48;
/** Came in, but for commands that a shell shows as it runs them: between their signs and words stands one blank. */
const CAME_IN = /^\+(?!\+? [\w./$"'[])/;

/**
 * Says whether a line is one of a file that a diff shows: an agent edits it by exact match, down to its indent. A line
 * that came may have lost its head to a filter. Bound: each line is read once.
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

/** So many lines are still to come of what was, and of what is. */
type Left = { readonly before: number; readonly after: number };

const NONE_LEFT: Left = { before: 0, after: 0 };

/** Where a head does not count them, they go on for as long as they have their signs. */
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
