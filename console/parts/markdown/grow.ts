import { type Block, LINE_END, type MarkdownNode, parseMarkdown } from "./nodes.ts";
import { finishTail } from "./unfinished.ts";

export type Grown = {
  readonly text: string;
  readonly isWriting: boolean;
  /** How much of the text the nodes are for: of a line without an end not all of it. */
  readonly read: number;
  readonly nodes: readonly MarkdownNode[];
  /** Where the part begins that what is written next can still change, and how many nodes stand before it. */
  readonly tailAt: number;
  readonly settled: number;
  /** Of the last heading before it. */
  readonly rank: number;
};

/** `[name]: address`, which may stand anywhere below the links that it is for. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/** Beyond this a line that is still written is read again only when it is an eighth longer, so that all costs no more than a few. */
const LONG_LINE = 10_000;
const LONGER = 1 / 8;

/**
 * An answer as far as it is written. Of a longer one than before only the end is read again, and all nodes before it
 * are the same objects: a long answer costs no more with each word than a short one.
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

/** A block is over once another has begun with a line that is whole: half a line may still turn into anything. */
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
