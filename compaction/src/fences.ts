import type { ToolKind } from "./calls/tool-kind.ts";
import { isFenceSign, scanFences } from "./fences/scan-fences.ts";
import { scanJson } from "./json/json-tape.ts";
import { cutLines } from "./text/cut.ts";
import { findGutters } from "./text/gutter.ts";
import { scratchPieces } from "./text/pieces.ts";

/** The inside of a fence, without its first and last line. */
type UserFence = {
  readonly from: number;
  readonly to: number;
  /** The kind of output in it; null for the user's own text. */
  readonly kind: FenceKind | null;
};

/** Terminal output, or else the result of a tool that may read files. */
type FenceKind = Extract<ToolKind, "terminal" | "unknown">;

/** Shorter fences are more likely the user's own text than the output of a tool. */
export const LEAST_OUTPUT = 400;

/**
 * The closed fences of a user's text, and whether they contain tool output: JSON, lines with a gutter, or terminal
 * output. Indented and quoted fences are left alone: rewritten without their indent, they would end the list around
 * them.
 */
export function findFences(text: string): UserFence[] {
  const fences: UserFence[] = [];
  for (const { from: start, inside, isLanguage, isClosed } of scanFences(text, true)) {
    if (!isClosed) break;
    const { from, to } = inside;
    const mayBeOutput = !isLanguage && to - from >= LEAST_OUTPUT && isFenceSign(text.charCodeAt(start));
    fences.push({ from, to, kind: mayBeOutput ? kindOf(text.slice(from, to)) : null });
  }
  return fences;
}

function kindOf(text: string): FenceKind | null {
  if (text.includes("\x1b[")) return "terminal";
  if (scanJson(text) !== null) return "unknown";
  const page = cutLines(scratchPieces(), text);
  return page !== null && findGutters(page) > 0 ? "unknown" : null;
}
