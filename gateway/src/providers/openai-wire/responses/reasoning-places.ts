import { BlockLog } from "../../block-order.ts";
import type { SealedReasoning } from "./reasoning-seal.ts";

/** Follows a response while it is emitted, to record where each piece of reasoning is and what it consists of. */
type ReasoningPlaces = {
  text(item: string, text: string): void;
  reasoning(part: string, text: string): void;
  /** `index` is that of the item, since a call may be emitted more than once. */
  call(index: unknown): void;
  /** For the reasoning that has just ended. */
  take(): Omit<SealedReasoning, "encrypted">;
};

export function createReasoningPlaces(): ReasoningPlaces {
  const blocks = new BlockLog();
  const called = new Set<unknown>();
  /** Lengths of the summaries since the last reasoning ended. */
  let summaries = new Map<string, number>();
  return {
    text: (item, text) => blocks.text(item, text),
    reasoning: (part, text) => void summaries.set(part, (summaries.get(part) ?? 0) + text.length),
    call(index) {
      if (!called.has(index)) blocks.call();
      called.add(index);
    },
    take() {
      const lengths = [...summaries.values()];
      summaries = new Map();
      return { after: blocks.take(), summaries: lengths };
    },
  };
}
