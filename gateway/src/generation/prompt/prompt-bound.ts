import { inputBoundTokens, type TextModel } from "../../catalog/index.ts";
import type { Attached } from "./attachment-tokens.ts";

type Bounded = {
  readonly model: TextModel;
  readonly messages: number;
  readonly images: number;
  readonly files: number;
  readonly attached: Pick<Attached, "textFiles" | "textTokens" | "heldTextTokens" | "filmTokens">;
  /**
   * The tokens held for the prompt's text and for file text, of which `more` is our estimate and `leastMore` the least
   * to be held for.
   */
  heldTokens(this: void, more: number, leastMore: number): number;
};

/** Upper bound of the input tokens. Videos may raise it up to the model's window, and no further. */
export function promptBoundTokens(input: Bounded): number {
  const bound = boundWithoutFilms(input);
  const { windowTokens } = input.model.limits;
  return Math.max(bound, Math.min(bound + input.attached.filmTokens, windowTokens));
}

/**
 * A file with known text counts as the catalog's bound per file or as its text, whichever is more: that bound is no
 * guarantee, and a long text may exceed it.
 */
function boundWithoutFilms({ model, messages, images, files, attached, heldTokens }: Bounded): number {
  const asFiles = inputBoundTokens({ model, messages, images, files, estimateTokens: heldTokens(0, 0) });
  const { textFiles, textTokens, heldTextTokens } = attached;
  if (textFiles === 0) return asFiles;
  const estimateTokens = heldTokens(textTokens, heldTextTokens);
  const asText = inputBoundTokens({ model, messages, images, files: files - textFiles, estimateTokens });
  return Math.max(asFiles, asText);
}
