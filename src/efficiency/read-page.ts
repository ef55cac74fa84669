import { cutMembers } from "./cut.ts";
import { findGutters } from "./gutter.ts";
import { hashPieces } from "./hash-text.ts";
import { markFences } from "./language-fences.ts";
import type { Page, Pieces } from "./pieces.ts";
import type { Voice } from "./scan-fences.ts";

/** Appends a text to the pieces, with all that the steps want to know of it. Null where it has too many. */
export function readPage(pieces: Pieces, text: string, voice: Voice): Page | null {
  const page = cutMembers(pieces, text);
  if (page === null) return null;
  markFences(page, voice);
  // A reference to numbered lines drops their padding, and what a model said stays to the letter.
  if (voice !== "model") findGutters(page, voice);
  hashPieces(page);
  return page;
}
