import type { Effort } from "../schema-reader.ts";
import type { PatternNode } from "./pattern-node.ts";

/** Nested continuations; the process's stack is larger. */
const MAX_DEPTH = 1500;

type Next = (at: number) => boolean;

/**
 * Whether the pattern occurs in the text. Interprets the parsed pattern in a bounded number of steps: running the
 * expression itself could block the process for ever. True if the steps were not enough.
 */
export function matchesPattern(node: PatternNode, text: string, effort: Effort): boolean {
  const characters = Array.from(text);
  let depth = 0;

  function match(part: PatternNode, at: number, next: Next): boolean {
    if (--effort.left < 0 || depth > MAX_DEPTH) return true;
    depth++;
    const isFound = matchKind(part, at, next);
    depth--;
    return isFound;
  }

  function matchKind(part: PatternNode, at: number, next: Next): boolean {
    switch (part.kind) {
      case "character":
        return hasAt(part, at) && next(at + 1);
      case "sequence":
        return matchItems(part.items, 0, at, next);
      case "choice":
        return part.branches.some((branch) => match(branch, at, next));
      case "repeat":
        return part.item.kind === "character" ? matchRun(part, at, next) : matchRepeat(part, 0, at, next);
      case "ahead":
        return match(part.item, at, () => true) !== part.isNegated && next(at);
      case "edge":
        return isEdge(part.edge, at) && next(at);
    }
  }

  function hasAt(part: PatternNode, at: number): boolean {
    const character = characters[at];
    return part.kind === "character" && character !== undefined && part.set.has(character);
  }

  function matchItems(items: readonly PatternNode[], index: number, at: number, next: Next): boolean {
    const item = items[index];
    return item === undefined
      ? next(at)
      : match(item, at, (after) => matchItems(items, index + 1, after, next));
  }

  /** Greedy, without recursion for single characters. */
  function matchRun(part: PatternNode & { kind: "repeat" }, at: number, next: Next): boolean {
    let count = 0;
    while (count < part.high && hasAt(part.item, at + count)) count++;
    effort.left -= count;
    for (; count >= part.low; count--) if (next(at + count)) return true;
    return false;
  }

  function matchRepeat(
    part: PatternNode & { kind: "repeat" },
    count: number,
    at: number,
    next: Next,
  ): boolean {
    // An item that matched nothing would match nothing again.
    const again = (after: number) => (after === at ? next(after) : matchRepeat(part, count + 1, after, next));
    return (count < part.high && match(part.item, at, again)) || (count >= part.low && next(at));
  }

  function isEdge(edge: string, at: number): boolean {
    if (edge === "^") return at === 0;
    if (edge === "$") return at === characters.length;
    const isWord = (character = "") => /^\w$/.test(character);
    return (isWord(characters[at - 1]) !== isWord(characters[at])) === (edge === "b");
  }

  return Array.from({ length: characters.length + 1 }, (_, start) => start).some((start) =>
    match(node, start, () => true),
  );
}
