import type { CharacterSet } from "./pattern-set.ts";

/** A parsed regular expression: texts are built from it and matched against it without ever running it. */
export type PatternNode =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly low: number; readonly high: number }
  | { readonly kind: "group"; readonly item: PatternNode; readonly name: string }
  /** A back-reference to the group of that name or number. */
  | { readonly kind: "again"; readonly name: string }
  | {
      readonly kind: "look";
      readonly item: PatternNode;
      readonly isAhead: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: "edge"; readonly edge: "start" | "end" | "boundary" | "no boundary" };
