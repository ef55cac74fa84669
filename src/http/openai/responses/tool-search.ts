import { isObject, parseForeignJson } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { SEARCH_NAME, type ToolTable } from "./tool-table.ts";

/**
 * A search for further tools, which agents with many of them offer in their place. Where the client itself runs it, models
 * that know only functions get one of its name, and what it finds joins the tools of the next call. Any other search is run
 * by the service that this wire is from.
 */
export function isClientSearch({ type, execution }: JsonObject): boolean {
  return type === SEARCH_NAME && execution === "client";
}

/** That a model has searched, for the client to do: its result comes under the same id. */
export function isSearchCall({ type, execution, call_id: id }: JsonObject): boolean {
  return type === "tool_search_call" && execution === "client" && typeof id === "string";
}

/** This wire has the arguments of a search as they are, and not in a text. */
export function searchedFor(argumentsText: string): unknown {
  if (argumentsText.trim() === "") return {};
  try {
    return parseForeignJson(argumentsText);
  } catch {
    // Cut by a limit, or no JSON: whoever reads it sees what there is.
    return argumentsText;
  }
}

/** What was found, by the names that the model may call it by. */
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

/** None for a tool of a kind that nobody here can serve. */
function offeredName(table: ToolTable, name: unknown, namespace?: unknown): readonly string[] {
  if (typeof name !== "string") return [];
  const neutral = table.neutralName(name, typeof namespace === "string" ? namespace : undefined);
  return table.has(neutral) ? [neutral] : [];
}
