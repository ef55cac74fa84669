import type { PatternNode } from "./pattern-node.ts";

/** Remaining steps for all patterns of one answer, for building and matching. */
export type PatternEffort = { left: number };

/** Nested continuations; the process's stack is larger. */
const MAX_DEPTH = 1500;

type Next = (at: number) => boolean;

/**
 * Whether the pattern occurs in the text. Interprets the parsed pattern in a bounded number of steps: running the
 * expression itself could block the process for ever. Also false if the steps were not enough.
 */
export function matchesPattern(node: PatternNode, text: string, effort: PatternEffort): boolean {
  const characters = Array.from(text);
  /** Start and end of each group's match. */
  const groups = new Map<string, readonly [number, number]>();
  let depth = 0;

  function match(part: PatternNode, at: number, next: Next): boolean {
    if (--effort.left < 0 || depth > MAX_DEPTH) return false;
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
        return part.item.kind === "character"
          ? matchRun(part, part.item, at, next)
          : matchRepeat(part, 0, at, next);
      case "group":
        return matchGroup(part, at, next);
      case "again":
        return matchAgain(part.name, at, next);
      case "look":
        return looksRight(part, at) && next(at);
      case "edge":
        return isEdge(part.edge, at) && next(at);
    }
  }

  function hasAt(part: PatternNode & { kind: "character" }, at: number): boolean {
    const character = characters[at];
    return character !== undefined && part.set.has(character);
  }

  function matchItems(items: readonly PatternNode[], first: number, start: number, next: Next): boolean {
    let [index, at] = [first, start];
    for (let item = items[index]; item?.kind === "character"; item = items[++index]) {
      if (--effort.left < 0 || !hasAt(item, at)) return false;
      at++;
    }
    const item = items[index];
    return item === undefined
      ? next(at)
      : match(item, at, (after) => matchItems(items, index + 1, after, next));
  }

  /** Greedy, without recursion for single characters. */
  function matchRun(
    { low, high }: PatternNode & { kind: "repeat" },
    item: PatternNode & { kind: "character" },
    at: number,
    next: Next,
  ): boolean {
    let count = 0;
    while (count < high && hasAt(item, at + count)) count++;
    effort.left -= count;
    for (; count >= low; count--) {
      if (effort.left < 0) return false;
      if (next(at + count)) return true;
    }
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
    if (count < part.high && match(part.item, at, again)) return true;
    return count >= part.low && next(at);
  }

  function matchGroup(part: PatternNode & { kind: "group" }, at: number, next: Next): boolean {
    const before = groups.get(part.name);
    const isFound = match(part.item, at, (after) => {
      const inside = groups.get(part.name);
      groups.set(part.name, [at, after]);
      if (next(after)) return true;
      setGroup(part.name, inside);
      return false;
    });
    if (!isFound) setGroup(part.name, before);
    return isFound;
  }

  /** A failed try restores the group, even to "no match". */
  function setGroup(name: string, span: readonly [number, number] | undefined): void {
    if (span === undefined) groups.delete(name);
    else groups.set(name, span);
  }

  function matchAgain(name: string, at: number, next: Next): boolean {
    const [start, end] = groups.get(name) ?? [0, 0];
    for (let place = start; place < end; place++) {
      if (--effort.left < 0 || characters[at + place - start] !== characters[place]) return false;
    }
    return next(at + end - start);
  }

  function looksRight(part: PatternNode & { kind: "look" }, at: number): boolean {
    if (part.isAhead) return match(part.item, at, () => true) !== part.isNegated && effort.left >= 0;
    for (let from = at; from >= 0; from--) {
      if (match(part.item, from, (after) => after === at)) return !part.isNegated;
    }
    return part.isNegated && effort.left >= 0;
  }

  function isEdge(edge: (PatternNode & { kind: "edge" })["edge"], at: number): boolean {
    if (edge === "start") return at === 0;
    if (edge === "end") return at === characters.length;
    const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character);
    return (isWord(characters[at - 1]) !== isWord(characters[at])) === (edge === "boundary");
  }

  for (let start = 0; start <= characters.length && effort.left >= 0; start++) {
    if (match(node, start, () => true)) return effort.left >= 0;
  }
  return false;
}
