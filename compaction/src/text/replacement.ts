/** Replaces `count` pieces of a page, that is, the characters from `from` to `to`. */
export type Replacement = {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly kind: ReplacementKind;
};

/**
 * A "reference" shows nothing of its pieces. "lines" is a first line with what the pieces share, followed by one line
 * per piece with what is not shared. "times" says how often the line before it is repeated.
 */
type ReplacementKind = "reference" | "lines" | "times";
