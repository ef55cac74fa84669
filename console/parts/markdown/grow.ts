import { type Block, LINE_END, type MarkdownNode, parseMarkdown } from "./nodes.ts";
import { finishTail } from "./unfinished.ts";

export type Grown = {
  readonly text: string;
  readonly isWriting: boolean;
  readonly nodes: readonly MarkdownNode[];
  /** Where the part begins that what is written next can still change, and how many nodes stand before it. */
  readonly tailAt: number;
  readonly settled: number;
  /** Of the last heading before it. */
  readonly rank: number;
};

/** `[name]: address`, which may stand anywhere below the links that it is for. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

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
  const blocks = parseMarkdown(isWriting ? finishTail(tail) : tail, rank);
  const more = settledOf(blocks, tail);
  const done = blocks.slice(0, more.count).map(({ node }) => node);
  return {
    text,
    isWriting,
    nodes: [...nodes.slice(0, settled), ...blocks.map(({ node }) => node)],
    tailAt: tailAt + more.length,
    settled: settled + more.count,
    rank: rankAfter(done, rank),
  };
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
