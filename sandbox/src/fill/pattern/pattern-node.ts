/** The characters allowed at one position: a test, and samples that pass it. */
export type CharacterSet = {
  readonly has: (character: string) => boolean;
  readonly samples: readonly string[];
};

/** A parsed regular expression: texts are made from it and matched against it without ever running it. */
export type PatternNode =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly low: number; readonly high: number }
  | { readonly kind: "ahead"; readonly item: PatternNode; readonly isNegated: boolean }
  | { readonly kind: "edge"; readonly edge: "^" | "$" | "b" | "B" };
