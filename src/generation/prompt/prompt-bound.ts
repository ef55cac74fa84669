import { inputBoundTokens, type TextModel } from "../../catalog/index.ts";
import type { Attached } from "./attachment-tokens.ts";

type Bounded = {
  readonly model: TextModel;
  readonly messages: number;
  readonly images: number;
  readonly files: number;
  readonly attached: Pick<Attached, "textFiles" | "textTokens" | "heldTextTokens" | "filmTokens">;
  /** What is held for the prompt's own text, and for so much more: by our own count, and at the least. */
  heldTokens(this: void, more: number, leastMore: number): number;
};

/** As many tokens as the input may have. Films may make it as long as the model's server takes, and no longer. */
export function promptBoundTokens(input: Bounded): number {
  const bound = boundWithoutFilms(input);
  const { windowTokens } = input.model.limits;
  return Math.max(bound, Math.min(bound + input.attached.filmTokens, windowTokens));
}

/**
 * A file whose words are at hand counts as the file that its model's entry bounds, or as text, whichever is more: nobody
 * promises the bound, and by its words a long one may be beyond it.
 */
function boundWithoutFilms({ model, messages, images, files, attached, heldTokens }: Bounded): number {
  const asFiles = inputBoundTokens({ model, messages, images, files, estimateTokens: heldTokens(0, 0) });
  const { textFiles, textTokens, heldTextTokens } = attached;
  if (textFiles === 0) return asFiles;
  const estimateTokens = heldTokens(textTokens, heldTextTokens);
  const asText = inputBoundTokens({ model, messages, images, files: files - textFiles, estimateTokens });
  return Math.max(asFiles, asText);
}
