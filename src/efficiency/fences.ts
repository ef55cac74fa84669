import { cutLines } from "./cut.ts";
import { findGutters } from "./gutter.ts";
import { scanJson } from "./json-tape.ts";
import { OUTPUT_TAGS } from "./language-fences.ts";
import { scratchPieces } from "./scratch.ts";

/** The inside of a fence, without the lines that open and close it. */
export type Fence = {
  readonly from: number;
  readonly to: number;
  readonly isOutput: boolean;
};

/** Shorter fences are more likely words of the user than the output of a tool. */
export const LEAST_OUTPUT = 400;
const FENCE = "```";

/**
 * The fences of a text, and whether they hold the output of a tool: JSON, lines in a gutter, or what a terminal
 * showed. Time is linear in the text: a fence that is never closed ends the search.
 */
export function findFences(text: string): Fence[] {
  const fences: Fence[] = [];
  let open = fenceAt(text, 0);
  while (open >= 0) {
    const from = text.indexOf("\n", open) + 1;
    const close = from === 0 ? -1 : fenceAt(text, from);
    if (close < 0) break;
    const to = Math.max(from, close - 1);
    const tag = text.slice(open + FENCE.length, from - 1).trim();
    const isOutput =
      to - from >= LEAST_OUTPUT && OUTPUT_TAGS.has(tag) && looksLikeOutput(text.slice(from, to));
    fences.push({ from, to, isOutput });
    const rest = text.indexOf("\n", close);
    open = rest < 0 ? -1 : fenceAt(text, rest + 1);
  }
  return fences;
}

/** The next line from `start` on, itself the start of a line, that begins with a fence. */
function fenceAt(text: string, start: number): number {
  if (text.startsWith(FENCE, start)) return start;
  const found = text.indexOf(`\n${FENCE}`, start);
  return found < 0 ? -1 : found + 1;
}

function looksLikeOutput(text: string): boolean {
  if (text.includes("\x1b[") || scanJson(text) !== null) return true;
  const page = cutLines(scratchPieces(), text);
  return page !== null && findGutters(page) > 0;
}
