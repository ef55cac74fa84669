import { pickOne, type Random } from "../../random.ts";
import type { Effort } from "../schema-reader.ts";
import { matchesPattern } from "./match-pattern.ts";
import { parsePattern } from "./parse-pattern.ts";
import type { PatternNode } from "./pattern-node.ts";

export type Length = { readonly min: number; readonly max: number };

/** The patterns of one answer; each is parsed once. */
export type PatternBook = {
  /** Also true if the pattern is not understood, or if the effort was not enough. */
  matches(pattern: string, text: string): boolean;
  /** Texts that match the pattern and have this length. */
  texts(pattern: string, length: Length, random: Random): Generator<string>;
};

const MAX_TRIES = 200;
const MAX_STEPS_OF_ONE = 20_000;

/** A client's expression is never run: a malicious one would block the process for ever. */
export function createPatternBook(effort: Effort): PatternBook {
  const parsed = new Map<string, PatternNode | undefined>();

  function nodeOf(pattern: string): PatternNode | undefined {
    if (!parsed.has(pattern)) {
      effort.left -= pattern.length;
      parsed.set(pattern, effort.left > 0 ? parsePattern(pattern) : undefined);
    }
    return parsed.get(pattern);
  }

  /** No pattern takes all the effort. */
  function isMatch(node: PatternNode, text: string): boolean {
    const own = { left: Math.min(effort.left, MAX_STEPS_OF_ONE) };
    const before = own.left;
    const does = matchesPattern(node, text, own);
    effort.left -= before - own.left;
    return does;
  }

  return {
    matches(pattern, text) {
      const node = nodeOf(pattern);
      return node === undefined || effort.left <= 0 || isMatch(node, text);
    },

    *texts(pattern, { min, max }, random) {
      const node = nodeOf(pattern);
      if (node === undefined) return;
      const shortest = madeFrom(node, { random, extra: 0, effort, isGreedy: false }).length;
      for (let attempt = 0; attempt < MAX_TRIES && effort.left > 0; attempt++) {
        const most = Math.max(0, min - shortest) + Math.floor(attempt / 4);
        const extra = attempt % 3 === 2 ? Math.floor(random() * (most + 1)) : most;
        const text = madeFrom(node, { random, extra, effort, isGreedy: attempt % 2 === 1 });
        // A pattern that is not anchored may stand inside a longer text.
        const whole = attempt % 3 === 0 ? text.padEnd(min, ".") : text.padStart(min, ".");
        const size = Array.from(whole).length;
        if (size >= min && size <= max && isMatch(node, whole)) yield whole;
      }
    },
  };
}

type Making = {
  readonly random: Random;
  readonly effort: Effort;
  /** The first repeat takes all that is left of `extra`; else a part of it. */
  readonly isGreedy: boolean;
  /** Repetitions beyond the least ones. */
  extra: number;
};

/** A text of the pattern's parts; it may not match the pattern as a whole. */
function madeFrom(node: PatternNode, making: Making): string {
  const { random, effort, isGreedy } = making;
  if (--effort.left < 0) return "";
  switch (node.kind) {
    case "character":
      return node.set.samples.length === 0 ? "" : pickOne(random, node.set.samples as [string, ...string[]]);
    case "sequence":
      return node.items.map((item) => madeFrom(item, making)).join("");
    case "choice":
      return madeFrom(pickOne(random, node.branches as [PatternNode, ...PatternNode[]]), making);
    case "repeat": {
      const share = isGreedy ? making.extra : Math.floor(random() * (making.extra + 1));
      const more = Math.min(share, node.high - node.low);
      making.extra -= more;
      let text = "";
      for (let count = 0; count < node.low + more && effort.left > 0; count++)
        text += madeFrom(node.item, making);
      return text;
    }
    default:
      return "";
  }
}
