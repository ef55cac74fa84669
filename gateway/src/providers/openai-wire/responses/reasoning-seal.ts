import { PLACE_MARK, PLACED } from "../../../wires/index.ts";
import { type Block, readBlocks, writeBlocks } from "../../block-order.ts";
import { closeSeal, openSeal } from "../seal.ts";

/** Reasoning that a response has encrypted, and what clients of chat completions do not send back of it. */
export type SealedReasoning = {
  readonly encrypted: string;
  /** What comes between this piece of reasoning and the one before. */
  readonly after: readonly Block[];
  /** The number of characters of each summary. */
  readonly summaries: readonly number[];
};

export function sealReasoning(namespace: string, { encrypted, after, summaries }: SealedReasoning): string {
  const isPlain = after.length === 0 && summaries.length < 2;
  const place = isPlain ? "" : `${PLACE_MARK}${writeBlocks(after)};${writeBlocks(summaries)}:`;
  return closeSeal(namespace, place + encrypted);
}

/** Null if there is none, or if it belongs to another provider. */
export function openSealedReasoning(
  namespace: string,
  signature: string | undefined,
): SealedReasoning | null {
  const text = openSeal(namespace, signature);
  if (text === null) return null;
  const [place = "", after = "", summaries = ""] = PLACED.exec(text) ?? [];
  return {
    encrypted: text.slice(place.length),
    after: readBlocks(after) ?? [],
    summaries: (readBlocks(summaries) ?? []).filter((block) => block !== "call"),
  };
}
