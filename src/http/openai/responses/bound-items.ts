import type { ChatPrompt } from "../../../generation/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { ReasoningMark } from "../../../providers/index.ts";
import { withoutMark } from "../sealed/sealed-reasoning.ts";

type Bound = { readonly field: string; readonly text: string };

/**
 * What a provider has encrypted and marked as its own, other than thoughts, stands for something that nothing else in the
 * conversation says: a compaction is all that was said before it. Undefined where there is none.
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
