import { isObject } from "../../../kit/index.ts";
import type { WireEvent } from "../../../providers/index.ts";
import type { JsonObject } from "../json-fields.ts";

type CutItem = { readonly index: number; readonly item: JsonObject };

type OpenItem = { readonly item: JsonObject; text: string; argumentsText: string };

/**
 * Items that were begun and never ended, with as much of them as came: some clients read nothing but ended items, and
 * what was delivered is charged. Only messages and calls can be read in part.
 */
export function cutItems(events: readonly WireEvent[]): readonly CutItem[] {
  const open = new Map<number, OpenItem>();
  for (const { event, members } of events) {
    const { output_index: index, item, delta } = JSON.parse(`{${members}}`) as Record<string, unknown>;
    if (typeof index !== "number") continue;
    if (event === "response.output_item.added" && isObject(item)) {
      open.set(index, { item, text: "", argumentsText: "" });
    }
    const begun = open.get(index);
    if (begun === undefined || typeof delta !== "string") continue;
    if (event === "response.output_text.delta") begun.text += delta;
    if (event === "response.function_call_arguments.delta") begun.argumentsText += delta;
  }
  return [...open].flatMap(([index, begun]) => {
    const item = cutItem(begun);
    return item === null ? [] : [{ index, item }];
  });
}

function cutItem({ item, text, argumentsText }: OpenItem): JsonObject | null {
  if (item["type"] === "message") {
    const part = { type: "output_text", text, annotations: [], logprobs: [] };
    return { ...item, status: "incomplete", content: text === "" ? [] : [part] };
  }
  if (item["type"] === "function_call") return { ...item, status: "incomplete", arguments: argumentsText };
  return null;
}
