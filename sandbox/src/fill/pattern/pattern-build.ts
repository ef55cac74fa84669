import { pickOne, type Random } from "../../random.ts";
import type { PatternEffort } from "./pattern-match.ts";
import type { PatternNode } from "./pattern-node.ts";
import type { CharacterSet } from "./pattern-set.ts";
import { createSpans, type Span } from "./pattern-span.ts";

type PatternBuilder = {
  /** The shortest length of a matching text. */
  readonly shortest: number;
  /**
   * A text of about that length, built from the parts; it may not match the pattern as a whole. What a look-behind
   * requires is written before it, or assumed to be there.
   */
  build(length: number, writesBehind: boolean): string;
  /** Texts that the look-aheads require somewhere. */
  wanted(): string[];
};

/** Prefers characters that every pattern in `beside` accepts somewhere, if there are any. */
export function createPatternBuilder(
  root: PatternNode,
  random: Random,
  effort: PatternEffort,
  beside: readonly PatternNode[] = [],
): PatternBuilder {
  const spanOf = createSpans();
  const groups = new Map<string, string>();
  const samples = new Map<CharacterSet, readonly string[]>();
  const known = beside.map(setsIn);
  let writes = false;

  function samplesOf(set: CharacterSet): readonly string[] {
    const before = samples.get(set);
    if (before !== undefined || known.length === 0) return before ?? set.samples;
    const isKnown = (character: string) => known.every((sets) => sets.some(({ has }) => has(character)));
    const shared = set.samples.filter(isKnown);
    const chosen = shared.length > 0 ? shared : set.samples;
    samples.set(set, chosen);
    return chosen;
  }

  /** `isLast`: nothing follows it. */
  function visit(node: PatternNode, length: number, isLast: boolean): string {
    if (--effort.left < 0) return "";
    switch (node.kind) {
      case "character":
        return sampleOf(samplesOf(node.set));
      case "sequence":
        return share(node.items, length, isLast);
      case "choice":
        return visit(branchFor(node.branches, length, isLast), length, isLast);
      case "repeat":
        return repeat(node, length, isLast);
      case "group": {
        const text = visit(node.item, length, isLast);
        groups.set(node.name, text);
        return text;
      }
      case "again":
        return groups.get(node.name) ?? "";
      case "look":
        return writes && !node.isAhead && !node.isNegated
          ? visit(node.item, spanOf(node.item).low, false)
          : "";
      case "edge":
        return "";
    }
  }

  /** Gives every part its minimum and shares the rest at random, leaving no more than the later parts can take. */
  function share(items: readonly PatternNode[], length: number, isLast: boolean): string {
    const spans = items.map(spanOf);
    const last = isLast ? spans.findLastIndex(({ high }) => high > 0) : items.length;
    let spare = length - spans.reduce((sum, { low }) => sum + low, 0);
    const rooms = roomsBehind(spans);
    let text = "";
    for (const [at, item] of items.entries()) {
      if (effort.left < 0) break;
      const span = spanOf(item);
      const least = Math.max(0, spare - (rooms[at] ?? 0));
      const most = Math.max(least, Math.min(roomOf(span), spare));
      const made = visit(item, span.low + between(least, most), at >= last);
      spare -= made.length - span.low;
      text += made;
    }
    return text;
  }

  /** A branch with an end anchor is only for the last part: `(?:\d(?:\.|$)){4}`. */
  function branchFor(all: readonly PatternNode[], length: number, isLast: boolean): PatternNode {
    const right = all.filter((branch) => isEnding(branch) === isLast);
    const branches = right.length > 0 ? right : all;
    const distances = branches.map((branch) => distance(spanOf(branch), length));
    const nearest = Math.min(...distances);
    const [first, ...others] = branches.filter((_, at) => distances[at] === nearest);
    return first === undefined ? { kind: "sequence", items: [] } : pickOne(random, [first, ...others]);
  }

  function repeat(node: PatternNode & { kind: "repeat" }, length: number, isLast: boolean): string {
    const item = spanOf(node.item);
    // An item without characters need not be repeated a million times.
    if (item.high === 0) return node.low === 0 ? "" : visit(node.item, 0, isLast);
    const needed = Math.ceil(length / item.high);
    const least = Math.min(Math.max(node.low, needed, length > 0 ? 1 : 0), node.high);
    const possible = item.low === 0 ? least : Math.floor(length / item.low);
    const count = between(least, Math.max(least, Math.min(possible, node.high)));
    if (count > effort.left) {
      effort.left = -1;
      return "";
    }
    return share(
      Array.from({ length: count }, () => node.item),
      length,
      isLast,
    );
  }

  function sampleOf(from: readonly string[]): string {
    return from[Math.floor(random() * from.length)] ?? "";
  }

  function between(low: number, high: number): number {
    return low + Math.floor(random() * (high - low + 1));
  }

  return {
    shortest: spanOf(root).low,
    build(length, writesBehind) {
      groups.clear();
      writes = writesBehind;
      return visit(root, length, true);
    },
    wanted: () => looksOf(root).map((look) => visit(look, spanOf(look).low, false)),
  };
}

function isEnding(node: PatternNode): boolean {
  if (node.kind === "sequence") return node.items.some(isEnding);
  return node.kind === "group" ? isEnding(node.item) : node.kind === "edge" && node.edge === "end";
}

function roomOf({ low, high }: Span): number {
  return high === low ? 0 : high - low;
}

/** For each part, how much longer than needed the later parts can be. */
function roomsBehind(spans: readonly Span[]): number[] {
  let room = 0;
  return spans
    .toReversed()
    .map((span) => {
      const behind = room;
      room += roomOf(span);
      return behind;
    })
    .toReversed();
}

function distance({ low, high }: Span, length: number): number {
  return Math.max(0, low - length, length - high);
}

const MAX_SETS = 64;

function setsIn(root: PatternNode): CharacterSet[] {
  const found: CharacterSet[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined && found.length < MAX_SETS; node = waiting.pop()) {
    if (node.kind === "character") found.push(node.set);
    else if (node.kind === "sequence") waiting.push(...node.items);
    else if (node.kind === "choice") waiting.push(...node.branches);
    else if (node.kind === "repeat" || node.kind === "group") waiting.push(node.item);
  }
  return found;
}

function looksOf(node: PatternNode): PatternNode[] {
  if (node.kind === "look") return node.isAhead && !node.isNegated ? [node.item] : [];
  if (node.kind === "sequence") return node.items.flatMap(looksOf);
  if (node.kind === "choice") return node.branches.slice(0, 1).flatMap(looksOf);
  return node.kind === "repeat" || node.kind === "group" ? looksOf(node.item) : [];
}
