import type { PatternNode } from "./pattern-node.ts";

/** The least and the most characters that a part can produce. */
export type Span = { readonly low: number; readonly high: number };

const NOTHING: Span = { low: 0, high: 0 };
const ONE: Span = { low: 1, high: 1 };

/** Memoised: every text that is built asks for them again. */
export function createSpans(): (node: PatternNode) => Span {
  const known = new Map<PatternNode, Span>();

  function spanOf(node: PatternNode): Span {
    const before = known.get(node);
    if (before !== undefined) return before;
    const span = measure(node);
    known.set(node, span);
    return span;
  }

  function measure(node: PatternNode): Span {
    switch (node.kind) {
      case "character":
        return ONE;
      case "sequence":
        return total(node.items.map(spanOf));
      case "choice": {
        const spans = node.branches.map(spanOf);
        return {
          low: Math.min(...spans.map(({ low }) => low)),
          high: Math.max(...spans.map(({ high }) => high)),
        };
      }
      case "repeat": {
        const item = spanOf(node.item);
        return { low: item.low * node.low, high: item.high === 0 ? 0 : item.high * node.high };
      }
      case "group":
        return spanOf(node.item);
      case "again":
      case "look":
      case "edge":
        return NOTHING;
    }
  }

  return spanOf;
}

function total(spans: readonly Span[]): Span {
  return spans.reduce((sum, each) => ({ low: sum.low + each.low, high: sum.high + each.high }), NOTHING);
}
