/** What stands in the place of `count` pieces of a page, instead of the characters from `from` to `to`. */
export type Replacement = {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
};
