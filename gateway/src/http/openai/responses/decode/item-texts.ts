import type { ChatMessage, ContentPart } from "../../../../contract/index.ts";
import type { WireTexts } from "../../../../generation/index.ts";
import { assert, isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";

/**
 * Finds the texts of the messages in a responses body. `places` has the item of each message's text, or NO_PLACE for
 * instructions and for turns that were put together from several items.
 */
export function itemTexts(body: JsonObject, places: readonly number[]): WireTexts {
  const itemOf = (at: number) => (itemsOf(body)?.[places[at] ?? NO_PLACE] ?? null) as JsonObject | null;
  return {
    isFixed: (at) => isFixed(itemOf(at)),
    rewrite(messages, changed) {
      const items = [...(itemsOf(body) ?? [])];
      for (const at of changed) {
        const item = itemOf(at);
        const shown = messages[at];
        assert(item !== null && shown !== undefined, "what has no place is fixed");
        items[places[at] as number] = rewriteItem(item, shown.content);
      }
      return { ...body, input: items };
    },
  };
}

export const NO_PLACE = -1;

function itemsOf({ input }: JsonObject): readonly unknown[] | null {
  return Array.isArray(input) ? input : null;
}

/**
 * Only results of tools change. Several text parts of one become one text in the neutral form, which cannot be split
 * into the parts again.
 */
function isFixed(item: JsonObject | null): boolean {
  if (item === null) return true;
  const { output } = item;
  if (!Array.isArray(output)) return typeof output !== "string";
  return output.length > 1 ? !output.some(isNoText) : typeof output[0]?.text !== "string";
}

function isNoText(part: unknown): boolean {
  return isObject(part) && typeof part["text"] !== "string";
}

function rewriteItem(item: JsonObject, shown: ChatMessage["content"]): JsonObject {
  return { ...item, output: rewriteContent(item["output"], shown) };
}

function rewriteContent(given: unknown, shown: ChatMessage["content"]): unknown {
  if (!Array.isArray(given) || shown === null) return shown;
  if (typeof shown === "string") return given.map((part: JsonObject) => ({ ...part, text: shown }));
  return given.map((part: JsonObject, at) => rewritePart(part, shown[at]));
}

function rewritePart(given: JsonObject, shown: ContentPart | undefined): JsonObject {
  if (shown?.type !== "text" || given["text"] === shown.text) return given;
  return { ...given, text: shown.text };
}
