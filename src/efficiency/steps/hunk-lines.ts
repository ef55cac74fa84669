import type { Page } from "../text/pieces.ts";

const PLUS = 43;
/** Above the changes of a file, and of a merge; and above those that `diff` shows without options. */
const HEAD = /^(?:@{2,9} -\d|\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$)/;
/** Before a line that stayed, went or came; an empty line may have lost its sign. */
const SIGNS: ReadonlySet<string> = new Set(["", " ", "\t", "+", "-", "\\", "<", ">"]);
/** Most texts have none of these, and are not read. */
const MAY_BE_CHANGES = /@@ -\d|^[<>] /m;
/** No head that counts is longer. */
const MOST_READ = 48;

/**
 * Says whether a line is one of a file that a diff shows: an agent edits it by exact match, down to its indent. A line
 * that came may have lost its head to a filter. Bound: each line is read once.
 */
export function createHunkReader(page: Page): (piece: number) => boolean {
  const { text, pieces } = page;
  const cameIn = (piece: number) => text.charCodeAt(pieces.start[piece] as number) === PLUS;
  if (!MAY_BE_CHANGES.test(text)) return cameIn;
  const isInside = new Uint8Array(page.end - page.first);
  let isHunk = false;
  for (let piece = page.first; piece < page.end; piece++) {
    const start = pieces.start[piece] as number;
    const line = text.slice(start, Math.min(pieces.end[piece] as number, start + MOST_READ));
    isHunk = HEAD.test(line) || (isHunk && SIGNS.has(line.charAt(0)));
    if (isHunk) isInside[piece - page.first] = 1;
  }
  return (piece) => isInside[piece - page.first] === 1 || cameIn(piece);
}
