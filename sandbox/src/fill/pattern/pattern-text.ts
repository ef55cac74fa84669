import type { Random } from "../../random.ts";
import { createPatternBuilder } from "./pattern-build.ts";
import { matchesPattern, type PatternEffort } from "./pattern-match.ts";
import type { PatternNode } from "./pattern-node.ts";
import { parsePattern } from "./pattern-parse.ts";
import { oneCharacter } from "./pattern-set.ts";

export type Length = { readonly min: number; readonly max: number };

/** The patterns of one answer: each is parsed once, and together they take a bounded number of steps. */
export type PatternBook = {
  /** Also false if the pattern is not understood, or if the steps were not enough. */
  matches(pattern: string, text: string): boolean;
  /** Texts that match the pattern and have this length in code points, and that patterns in `beside` may match, too. */
  texts(pattern: string, length: Length, random: Random, beside?: readonly string[]): Generator<string>;
  /** Whether the answer's steps are used up. */
  isSpent(): boolean;
  /** The share of the steps that is used up. */
  spent(): number;
};

const MAX_STEPS = 80_000;
/** Limit per pattern, so that an expensive one leaves steps for the others. */
const MAX_STEPS_OF_ONE = 30_000;
const MAX_TRIES = 96;
/** Surrounds a pattern that is not anchored at its start or end. */
const FILLER: PatternNode = {
  kind: "repeat",
  item: { kind: "character", set: oneCharacter(".") },
  low: 0,
  high: Number.POSITIVE_INFINITY,
};

/** A client's expression is never run: a malicious one would block the process for ever. */
export function createPatternBook(): PatternBook {
  const parsed = new Map<string, PatternNode | undefined>();
  let left = MAX_STEPS;

  function nodeOf(pattern: string): PatternNode | undefined {
    if (!parsed.has(pattern)) {
      left -= pattern.length;
      parsed.set(pattern, left > 0 ? parsePattern(pattern) : undefined);
    }
    return parsed.get(pattern);
  }

  /** Runs within `effort` and deducts the used steps from the total. */
  function spend<Result>(effort: PatternEffort, run: () => Result): Result {
    const before = effort.left;
    const result = run();
    left -= before - effort.left;
    return result;
  }

  const effortOfOne = () => ({ left: Math.min(left, MAX_STEPS_OF_ONE) });

  return {
    isSpent: () => left <= 0,
    spent: () => 1 - left / MAX_STEPS,

    matches(pattern, text) {
      const node = nodeOf(pattern);
      if (node === undefined) return false;
      const effort = effortOfOne();
      return spend(effort, () => matchesPattern(node, text, effort));
    },

    *texts(pattern, length, random, beside = []) {
      const node = nodeOf(pattern);
      if (node === undefined) return;
      const effort = effortOfOne();
      const builder = createPatternBuilder(
        withSurroundings(node),
        random,
        effort,
        beside.map(nodeOf).filter((each) => each !== undefined),
      );
      const shortest = Math.max(length.min, builder.shortest);
      if (shortest > effort.left) return;
      for (let attempt = 0; attempt < MAX_TRIES && effort.left > 0; attempt++) {
        // Every third try may be one character longer.
        const wanted = Math.min(shortest + Math.floor(attempt / 3), length.max);
        const text = spend(effort, () => {
          const made = builder.build(wanted, attempt % 4 > 1);
          const seen = attempt % 2 === 1 ? laidOver(made, builder.wanted()) : made;
          const size = Array.from(seen).length;
          const isRight = effort.left >= 0 && size >= length.min && size <= length.max;
          return isRight && matchesPattern(node, seen, effort) ? seen : undefined;
        });
        if (text !== undefined) yield text;
      }
    },
  };
}

/** Overwrites the beginning of the text with what the look-aheads require. */
function laidOver(text: string, wanted: readonly string[]): string {
  const over = wanted.join("");
  return over.length > text.length ? text : over + text.slice(over.length);
}

function withSurroundings(node: PatternNode): PatternNode {
  if (node.kind === "choice") return { ...node, branches: node.branches.map(withSurroundings) };
  const items = node.kind === "sequence" ? node.items : [node];
  const isEdge = (item: PatternNode | undefined, edge: "start" | "end") =>
    item?.kind === "edge" && item.edge === edge;
  return {
    kind: "sequence",
    items: [
      ...(isEdge(items[0], "start") ? [] : [FILLER]),
      ...items,
      ...(isEdge(items.at(-1), "end") ? [] : [FILLER]),
    ],
  };
}
