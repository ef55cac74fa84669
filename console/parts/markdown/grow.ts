import { type Block, LINE_END, type MarkdownNode, parseMarkdown } from "./nodes.ts";
import { finishTail } from "./unfinished.ts";

export type Grown = {
  readonly text: string;
  readonly isWriting: boolean;
  /** How much of the text the nodes cover: not all of it within a very long line. */
  readonly read: number;
  readonly nodes: readonly MarkdownNode[];
  /** Index at which the part begins that later text can still change, and the number of nodes before it. */
  readonly tailAt: number;
  readonly settled: number;
  /** Rank of the last heading before it. */
  readonly rank: number;
};

/** `[name]: address`, which may come anywhere after the links that use it. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * A longer line that is still being written is parsed again only once it has grown by an eighth, so that the total cost
 * stays that of a few parses.
 */
const LONG_LINE = 10_000;
const LONGER = 1 / 8;

/**
 * An answer as far as it is written. If it only grew, only its end is parsed again, and all nodes before are the same
 * objects: each word of a long answer costs no more than one of a short answer.
 */
export function growMarkdown(before: Grown | null, text: string, isWriting: boolean): Grown {
  const isSame = before?.text === text && before.isWriting === isWriting;
  if (before && isSame) return before;
  const isLonger = before !== null && text.startsWith(before.text) && (isWriting || !DEFINITION.test(text));
  const { tailAt, settled, rank, nodes } = isLonger ? before : { tailAt: 0, settled: 0, rank: 1, nodes: [] };
  const tail = text.slice(tailAt);
  if (before?.isWriting && isLonger && isWriting && hardlyLonger(tail, text.length - before.read))
    return { ...before, text };
  const blocks = parseMarkdown(isWriting ? finishTail(tail) : tail, rank);
  const more = settledOf(blocks, tail);
  const done = blocks.slice(0, more.count).map(({ node }) => node);
  return {
    text,
    isWriting,
    read: text.length,
    nodes: [...nodes.slice(0, settled), ...blocks.map(({ node }) => node)],
    tailAt: tailAt + more.length,
    settled: settled + more.count,
    rank: rankAfter(done, rank),
  };
}

function hardlyLonger(tail: string, unread: number): boolean {
  const line = tail.length - (tail.lastIndexOf("\n") + 1);
  return line > LONG_LINE && unread < line * LONGER;
}

/** A block is final once another has begun with a complete line: an incomplete line may still turn into anything. */
function settledOf(blocks: readonly Block[], tail: string): { count: number; length: number } {
  const lineEnds = [...tail.matchAll(new RegExp(LINE_END, "g"))];
  const last = blocks.findLastIndex(({ startLine }) => startLine < lineEnds.length);
  const startLine = blocks[last]?.startLine ?? 0;
  const end = lineEnds[startLine - 1];
  return last > 0 && end ? { count: last, length: end.index + end[0].length } : { count: 0, length: 0 };
}

function rankAfter(nodes: readonly MarkdownNode[], before: number): number {
  return nodes.reduce((rank, node) => {
    if (node.kind === "heading") return node.rank;
    return "children" in node ? rankAfter(node.children, rank) : rank;
  }, before);
}
