import { markFences } from "../fences/language-fences.ts";
import { cutMembers } from "../text/cut.ts";
import { findGutters } from "../text/gutter.ts";
import type { Page, Pieces, Voice } from "../text/pieces.ts";
import { hashPieces } from "./hash-text.ts";

/** Appends a text to the pieces, with fences, gutters and hashes set. Null if it has too many pieces. */
export function readPage(pieces: Pieces, text: string, voice: Voice): Page | null {
  const page = cutMembers(pieces, text);
  if (page === null) return null;
  markFences(page, voice);
  // A reference to numbered lines drops their padding, but assistant text must stay exact.
  if (voice !== "model") findGutters(page, voice);
  hashPieces(page);
  return page;
}
