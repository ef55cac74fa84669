import type { WireEvent } from "../../../../contract/index.ts";
import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";

type CutItem = { readonly index: number; readonly item: JsonObject };

type OpenItem = { readonly item: JsonObject; said: string };

/** Events with the content of an item, one for each type of item. */
const SAYING: ReadonlySet<string | undefined> = new Set([
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
]);

/**
 * Items that have begun but not ended, with the content that came: some clients read only items that have ended, and
 * what was delivered is charged. Only messages and calls are usable in part.
 */
export function cutItems(events: readonly WireEvent[]): readonly CutItem[] {
  const open = new Map<number, OpenItem>();
  for (const { event, members } of events) {
    const { output_index: index, item, delta } = JSON.parse(`{${members}}`) as Record<string, unknown>;
    if (typeof index !== "number") continue;
    if (event === "response.output_item.added" && isObject(item)) {
      open.set(index, { item, said: "" });
    }
    const begun = open.get(index);
    if (begun !== undefined && typeof delta === "string" && SAYING.has(event)) begun.said += delta;
  }
  return [...open].flatMap(([index, begun]) => {
    const item = cutItem(begun);
    return item === null ? [] : [{ index, item }];
  });
}

function cutItem({ item, said }: OpenItem): JsonObject | null {
  const cut = { ...item, status: "incomplete" };
  switch (item["type"]) {
    case "message": {
      const part = { type: "output_text", text: said, annotations: [], logprobs: [] };
      return { ...cut, content: said === "" ? [] : [part] };
    }
    case "function_call":
      return { ...cut, arguments: said };
    case "custom_tool_call":
      return { ...cut, input: said };
    default:
      return null;
  }
}
