import { FENCED, type Page } from "./pieces.ts";

/**
 * Who speaks. A model writes Markdown, with fences in its lists; what a tool says is indented for other reasons,
 * as in a comparison of two files, and may have gutters.
 */
export type Voice = "model" | "tool";

/** Tags of fences whose text is output, not a language. */
export const OUTPUT_TAGS: ReadonlySet<string> = new Set(["", "json", "text", "console", "log"]);

const FENCES = ["```", "~~~"];
const FENCE_SIZE = 3;
const BACKTICK = 96;
const TILDE = 126;

/** From the start of the line that opens a fence to the end of the line that closes it. */
type Fenced = { readonly from: number; readonly to: number; readonly isLanguage: boolean };
type Opened = { readonly from: number; readonly sign: string; readonly isLanguage: boolean };

/** Fences of every kind, in their order. One that is not closed goes to the end. Time is linear in the text. */
function scanFences(text: string, voice: Voice): Fenced[] {
  const found: Fenced[] = [];
  const next = createSearch(text);
  let opened: Opened | null = null;
  for (let at = next(0); at < text.length; ) {
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const from = lineStart(text, at, voice);
    const sign = text.slice(at, at + FENCE_SIZE);
    const tag = from < 0 ? "" : tagAt(text, at, end);
    if (from >= 0 && opened === null) opened = { from, sign, isLanguage: !OUTPUT_TAGS.has(tag) };
    else if (from >= 0 && opened?.sign === sign && tag === "") {
      found.push({ from: opened.from, to: end, isLanguage: opened.isLanguage });
      opened = null;
    }
    at = next(end);
  }
  if (opened !== null) found.push({ from: opened.from, to: text.length, isLanguage: opened.isLanguage });
  return found;
}

/**
 * Gives the next three signs of a fence from some place on, wherever they stand; the end where there are none. Each
 * sign is looked for only from where it was found last, so that all of it is one pass.
 */
function createSearch(text: string): (start: number) => number {
  const places = FENCES.map(() => -1);
  return (start) => {
    let nearest = text.length;
    for (const [sign, fence] of FENCES.entries()) {
      let place = places[sign] ?? -1;
      if (place < start) {
        const found = text.indexOf(fence, start);
        place = found < 0 ? text.length : found;
        places[sign] = place;
      }
      nearest = Math.min(nearest, place);
    }
    return nearest;
  };
}

/** By the first signs of its lines: most texts have no fence, and need not be searched for one. */
function mayHaveFences({ text, pieces, first, end }: Page, voice: Voice): boolean {
  const { start } = pieces;
  for (let piece = first; piece < end; piece++) {
    let at = start[piece] as number;
    let code = text.charCodeAt(at);
    while (voice === "model" && (code === 32 || code === 9)) code = text.charCodeAt(++at);
    if (code === BACKTICK || code === TILDE) return true;
  }
  return false;
}

/** Where the line begins that begins with the fence at `at`; -1 where other words stand before it. */
function lineStart(text: string, at: number, voice: Voice): number {
  let start = at;
  while (voice === "model" && (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9))
    start--;
  return start === 0 || text.charCodeAt(start - 1) === 10 ? start : -1;
}

/** What stands behind the signs of a fence. */
function tagAt(text: string, at: number, lineEnd: number): string {
  let start = at;
  while (text[start] === text[at]) start++;
  return text.slice(start, lineEnd).trim();
}

/**
 * A fence with the name of a language behind its opening is untouchable, in every text: its pieces are marked. Of
 * the other fences the lines that open and close them are, so that fences stay what they are.
 */
export function markFences(page: Page, voice: Voice): void {
  if (!mayHaveFences(page, voice)) return;
  const { text, pieces, first, end } = page;
  let at = first;
  for (const { from, to, isLanguage } of scanFences(text, voice)) {
    while (at < end && (pieces.start[at] as number) < from) at++;
    for (; at < end && (pieces.start[at] as number) <= to; at++) {
      const isEdge = pieces.start[at] === from || pieces.end[at] === to;
      if (isLanguage || isEdge) pieces.number[at] = FENCED;
    }
  }
}

export function hasLanguageFence(text: string, voice: Voice): boolean {
  return scanFences(text, voice).some(({ isLanguage }) => isLanguage);
}

/** Changes a text outside of fences in some language only. */
export function changeOutside(text: string, voice: Voice, change: (part: string) => string): string {
  let written = "";
  let copied = 0;
  for (const { from, to, isLanguage } of scanFences(text, voice)) {
    if (!isLanguage) continue;
    written += change(text.slice(copied, from)) + text.slice(from, to);
    copied = to;
  }
  return copied === 0 ? change(text) : written + change(text.slice(copied));
}
