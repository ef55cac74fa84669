import { isObject, parseForeignJson } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import { SEARCH_NAME, type ToolTable } from "./tool-table.ts";

/**
 * Agents with many tools offer a search for them instead. If the client runs it, models that know only functions get a
 * function of its name, and the tools that it finds are offered in the next call. Any other search is run by the
 * original service of this wire.
 */
export function isClientSearch({ type, execution }: JsonObject): boolean {
  return type === SEARCH_NAME && execution === "client";
}

/** Whether the model has called a search that the client runs: its result has the same `call_id`. */
export function isSearchCall({ type, execution, call_id: id }: JsonObject): boolean {
  return type === "tool_search_call" && execution === "client" && typeof id === "string";
}

/** On this wire, the arguments of a search are a JSON value, not a string. */
export function searchedFor(argumentsText: string): unknown {
  if (argumentsText.trim() === "") return {};
  try {
    return parseForeignJson(argumentsText);
  } catch {
    // Cut off by a limit, or not JSON: the client gets the text as it is.
    return argumentsText;
  }
}

/** The tools that were found, by the names under which the model can call them. */
export function foundText(tools: unknown, table: ToolTable): string {
  const names = Array.isArray(tools) ? tools.flatMap((tool: unknown) => namesIn(tool, table)) : [];
  return names.length === 0 ? "No tools were found." : `These tools can be called now:\n${names.join("\n")}`;
}

function namesIn(tool: unknown, table: ToolTable): readonly string[] {
  if (!isObject(tool)) return [];
  const { name, tools } = tool;
  if (tool["type"] !== "namespace") return offeredName(table, name);
  return Array.isArray(tools)
    ? tools.flatMap((inner: unknown) => (isObject(inner) ? offeredName(table, inner["name"], name) : []))
    : [];
}

/** Empty for a tool of a kind that cannot be served here. */
function offeredName(table: ToolTable, name: unknown, namespace?: unknown): readonly string[] {
  if (typeof name !== "string") return [];
  const neutral = table.neutralName(name, typeof namespace === "string" ? namespace : undefined);
  return table.has(neutral) ? [neutral] : [];
}
