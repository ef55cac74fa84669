import type { JsonObject } from "../../json-fields.ts";

/** Items that offer further tools in the course of a conversation. */
const TOOL_ITEMS: readonly unknown[] = ["additional_tools", "tool_search_output"];

export function isToolItem({ type }: JsonObject): boolean {
  return TOOL_ITEMS.includes(type);
}
