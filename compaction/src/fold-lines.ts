import type { Action } from "./compaction.ts";
import { foldAlikeLines, foldForms } from "./steps/alike-lines.ts";
import { createHunkReader } from "./steps/hunk-lines.ts";
import { foldRepeatedLines } from "./steps/repeated-lines.ts";
import type { Page } from "./text/pieces.ts";
import type { Replacement } from "./text/replacement.ts";

type Folding = {
  readonly taken: readonly Replacement[];
  /**
   * True to fold lines of one form by everything they share; false for lines that may be code, which only share how
   * they begin and end.
   */
  readonly hasForms: boolean;
  /** True for search results: they may be code, except for the path before it. */
  readonly areFound: boolean;
  readonly actions: Set<Action>;
};

/** Folds lines that no other replacement covers. Returns all replacements, in the order of the page. */
export function foldLines(page: Page, { taken, hasForms, areFound, actions }: Folding): Replacement[] {
  const isTaken = new Uint8Array(page.end - page.first);
  const take = (replacements: readonly Replacement[]) => {
    for (const { first, count } of replacements) {
      isTaken.fill(1, first - page.first, first - page.first + count);
    }
  };
  const isFree = (piece: number) => isTaken[piece - page.first] === 0;
  take(taken);
  const repeated = foldRepeatedLines(page, isFree);
  if (repeated.length > 0) actions.add("repeated_lines");
  take(repeated);
  const forms = hasForms ? foldForms(page, { isFree, areFound }) : [];
  take(forms);
  const isInHunk = createHunkReader(page);
  const mayBeTorn = (piece: number) => isFree(piece) && !isInHunk(piece);
  const alike = [...forms, ...foldAlikeLines(page, { isFree: mayBeTorn, areFound })];
  if (alike.length > 0) actions.add("alike_lines");
  if (repeated.length + alike.length === 0) return [...taken];
  return [...taken, ...repeated, ...alike].sort((a, b) => a.first - b.first);
}
