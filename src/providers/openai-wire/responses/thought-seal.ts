import { type Block, readBlocks, writeBlocks } from "../../block-order.ts";
import { closeSeal, openSeal } from "../seal.ts";

/** A thought that a response has encrypted, and what clients of a chat completion do not give back of it. */
export type SealedThought = {
  readonly encrypted: string;
  /** What stands between this and the thought before it. */
  readonly after: readonly Block[];
  /** How many characters each of its summaries has. */
  readonly summaries: readonly number[];
};

/** Before the place of a thought, which most do not need: no encrypted text begins like this. */
const MARK = "@";
const PLACED = /^@([^;:]*);([^;:]*):/;

export function sealThought(namespace: string, { encrypted, after, summaries }: SealedThought): string {
  const isPlain = after.length === 0 && summaries.length < 2;
  const place = isPlain ? "" : `${MARK}${writeBlocks(after)};${writeBlocks(summaries)}:`;
  return closeSeal(namespace, place + encrypted);
}

/** Null where there is none, or where it is somebody else's. */
export function openThought(namespace: string, signature: string | undefined): SealedThought | null {
  const text = openSeal(namespace, signature);
  if (text === null) return null;
  const [place = "", after = "", summaries = ""] = PLACED.exec(text) ?? [];
  return {
    encrypted: text.slice(place.length),
    after: readBlocks(after) ?? [],
    summaries: (readBlocks(summaries) ?? []).filter((block) => block !== "call"),
  };
}

/** The encrypted text alone. */
export function withoutPlace(text: string): string {
  return text.startsWith(MARK) ? text.replace(PLACED, "") : text;
}
