import type { CharacterSet } from "./pattern-set.ts";

/** A regular expression, taken apart: texts are made from it and tried on it without ever running it. */
export type PatternNode =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly low: number; readonly high: number }
  | { readonly kind: "group"; readonly item: PatternNode; readonly name: string }
  /** What the group of that name or number matched. */
  | { readonly kind: "again"; readonly name: string }
  | {
      readonly kind: "look";
      readonly item: PatternNode;
      readonly isAhead: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: "edge"; readonly edge: "start" | "end" | "boundary" | "no boundary" };
