import { BlockLog } from "../../block-order.ts";
import type { SealedThought } from "./thought-seal.ts";

/** Follows a response while it is told, to say of each thought where it stands and what it is made of. */
type ThoughtPlaces = {
  text(item: string, text: string): void;
  thought(part: string, text: string): void;
  /** By its item's index: it may be told more than once. */
  call(index: unknown): void;
  /** Of the thought that is over. */
  take(): Omit<SealedThought, "encrypted">;
};

export function createThoughtPlaces(): ThoughtPlaces {
  const blocks = new BlockLog();
  const called = new Set<unknown>();
  /** The lengths of the summaries since the last thought was over. */
  let summaries = new Map<string, number>();
  return {
    text: (item, text) => blocks.text(item, text),
    thought: (part, text) => void summaries.set(part, (summaries.get(part) ?? 0) + text.length),
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
