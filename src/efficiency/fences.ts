import { cutLines } from "./cut.ts";
import { findGutters } from "./gutter.ts";
import { scanJson } from "./json-tape.ts";
import { isBlank, scanFences } from "./scan-fences.ts";
import { scratchPieces } from "./scratch.ts";

/** The inside of a fence, without the lines that open and close it. */
export type UserFence = {
  readonly from: number;
  readonly to: number;
  readonly isOutput: boolean;
};

/** Shorter fences are more likely words of the user than the output of a tool. */
export const LEAST_OUTPUT = 400;

/**
 * The closed fences of a user's text, and whether they hold the output of a tool: JSON, lines in a gutter, or what a
 * terminal showed. Not an indented one: in a list, what is written anew without its indent would end it.
 */
export function findFences(text: string): UserFence[] {
  const fences: UserFence[] = [];
  for (const { from: start, inside, isLanguage, isClosed } of scanFences(text, "model")) {
    if (!isClosed) break;
    const { from, to } = inside;
    const mayBeOutput = !isLanguage && to - from >= LEAST_OUTPUT && !isBlank(text.charCodeAt(start));
    fences.push({ from, to, isOutput: mayBeOutput && looksLikeOutput(text.slice(from, to)) });
  }
  return fences;
}

function looksLikeOutput(text: string): boolean {
  if (text.includes("\x1b[") || scanJson(text) !== null) return true;
  const page = cutLines(scratchPieces(), text);
  return page !== null && findGutters(page) > 0;
}
