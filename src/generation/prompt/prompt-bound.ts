import { inputBoundTokens, type TextModel } from "../../catalog/index.ts";
import type { Attached } from "./attachment-tokens.ts";

type Bounded = {
  readonly model: TextModel;
  readonly messages: number;
  readonly images: number;
  readonly files: number;
  readonly attached: Pick<Attached, "textFiles" | "textTokens" | "heldTextTokens">;
  /** What is held for the prompt's own text, and for so much more: by our own count, and at the least. */
  heldTokens(this: void, more: number, leastMore: number): number;
};

/**
 * As many tokens as the input may have. A file whose words are at hand counts as the file that its model's entry bounds,
 * or as text, whichever is more: nobody promises the bound, and by its words a long one may be beyond it.
 */
export function promptBoundTokens({ attached, heldTokens, files, ...input }: Bounded): number {
  const asFiles = inputBoundTokens({ ...input, files, estimateTokens: heldTokens(0, 0) });
  const { textFiles, textTokens, heldTextTokens } = attached;
  if (textFiles === 0) return asFiles;
  const estimateTokens = heldTokens(textTokens, heldTextTokens);
  return Math.max(asFiles, inputBoundTokens({ ...input, files: files - textFiles, estimateTokens }));
}
