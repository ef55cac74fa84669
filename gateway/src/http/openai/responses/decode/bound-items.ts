import type { ReasoningMark } from "../../../../contract/index.ts";
import type { ChatPrompt } from "../../../../generation/index.ts";
import { isObject } from "../../../../kit/index.ts";
import { withoutMark } from "../../sealed/sealed-reasoning.ts";

type Bound = { readonly field: string; readonly text: string };

/**
 * Finds items other than reasoning that a provider has encrypted and that are marked as its own. Nothing else in the
 * conversation has their content (a compaction replaces everything before it), so no other provider can serve the call.
 * Undefined if there are none.
 */
export function unreadableItems(input: unknown, mark: ReasoningMark): ChatPrompt["unreadableTo"] {
  if (!Array.isArray(input)) return undefined;
  const bound = input.flatMap((item, at) => boundItem(item, `input[${at}]`));
  if (bound.length === 0) return undefined;
  return (provider) => bound.find(({ text }) => mark.unmark(text, provider) === null)?.field ?? null;
}

function boundItem(item: unknown, at: string): readonly Bound[] {
  const { type, encrypted_content: text } = isObject(item) ? item : {};
  if (type === "reasoning" || typeof text !== "string" || withoutMark(text) === text) return [];
  return [{ field: `${at}.encrypted_content`, text }];
}
