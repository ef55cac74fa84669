/** What stands in the place of `count` pieces of a page, instead of the characters from `from` to `to`. */
export type Replacement = {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly kind: ReplacementKind;
};

/**
 * A reference shows nothing of its pieces. Behind the first line of "lines" what is its own stands on a line for each of
 * them, and "times" says how often the line before it comes again: all that they say is there, only in fewer words.
 */
type ReplacementKind = "reference" | "lines" | "times";
