import type { Tool } from "../../../../contract/index.ts";
import { type AppError, invalid, isObject } from "../../../../kit/index.ts";
import { customToolAsFunction } from "../../custom-tool.ts";
import { functionTool, MAX_TOOLS } from "../../function-tool.ts";
import {
  type JsonObject,
  objectOf,
  requiredList,
  requiredString,
  requiredText,
  stringOf,
} from "../../json-fields.ts";
import { isClientSearch } from "./tool-search.ts";
import { SEARCH_NAME, type ToolTable } from "./tool-table.ts";

/**
 * Adds what any provider can serve to the table: functions, custom tools, both in a namespace, and the client's own
 * search for further tools. Kinds that only their own service runs (other searches, shells) are left out: agents list
 * them unasked, and refusing them would stop an agent at its first turn. Those in ON_PURPOSE are refused.
 */
export function decodeTools(list: readonly unknown[], path: string, table: ToolTable): void {
  if (list.length > MAX_TOOLS) throw tooMany(path);
  for (const [index, tool] of list.entries()) {
    const at = `${path}[${index}]`;
    if (!isObject(tool)) throw invalid(at, "must be an object");
    if (ON_PURPOSE.has(tool["type"]))
      throw invalid(
        `${at}.type`,
        "must be a tool that this model has: it cannot call servers or search files",
      );
    if (tool["type"] === "namespace") decodeNamespace(tool, at, table);
    else if (isClientSearch(tool)) addSearch(tool, at, table);
    else addTool(tool, { at, table });
  }
}

/** Nobody lists these without a server or files of their own, on which the answer is meant to rest. */
const ON_PURPOSE: ReadonlySet<unknown> = new Set(["mcp", "file_search"]);

type Place = {
  readonly at: string;
  readonly table: ToolTable;
  readonly namespace?: string;
  /** Text to put before the tool's own description. */
  readonly preface?: string;
};

function decodeNamespace(tool: JsonObject, at: string, table: ToolTable): void {
  const namespace = requiredText(tool, "name", at);
  const description = stringOf(tool, "description", at) ?? "";
  // Only for the first tool: before each of them, a long description would cost as many times as there are tools.
  let preface = description && `For all tools whose names begin with ${namespace}__: ${description}`;
  for (const [index, inner] of requiredList(tool, "tools", at).entries()) {
    const place = `${at}.tools[${index}]`;
    if (!isObject(inner)) throw invalid(place, "must be an object");
    const isAdded = addTool(inner, { at: place, table, namespace, preface });
    if (isAdded) preface = "";
  }
}

function addTool(tool: JsonObject, { at, table, namespace, preface = "" }: Place): boolean {
  const kind = requiredString(tool, "type", at);
  if (!isAnybodys(kind)) return false;
  const name = requiredText(tool, "name", at);
  const neutralName = table.neutralName(name, namespace);
  const neutral =
    kind === "function" ? functionTool(tool, at, neutralName) : customTool(tool, at, neutralName);
  const told = preface === "" ? neutral : { ...neutral, description: joined(preface, neutral.description) };
  table.add({ kind, name, ...(namespace === undefined ? {} : { namespace }) }, told, tool);
  if (table.size > MAX_TOOLS) throw tooMany("tools");
  return true;
}

function addSearch(tool: JsonObject, at: string, table: ToolTable): void {
  table.add(
    { kind: "search", name: SEARCH_NAME },
    functionTool(tool, at, table.builtInName(SEARCH_NAME)),
    tool,
  );
  if (table.size > MAX_TOOLS) throw tooMany("tools");
}

/** Whether any provider can serve tools of this kind. */
export function isAnybodys(kind: unknown): kind is "function" | "custom" {
  return kind === "function" || kind === "custom";
}

function joined(preface: string, description = ""): string {
  return description === "" ? preface : `${preface}\n\n${description}`;
}

function tooMany(path: string): AppError {
  return invalid(path, `must be a list of at most ${MAX_TOOLS} tools`);
}

function customTool(tool: JsonObject, at: string, name: string): Tool {
  const format = objectOf(tool, "format", at);
  const isGrammar = format?.["type"] === "grammar";
  return customToolAsFunction({
    name,
    description: stringOf(tool, "description", at),
    grammar: isGrammar ? grammarOf(format, `${at}.format`) : undefined,
  });
}

function grammarOf(format: JsonObject, at: string): { syntax: string; definition: string } {
  return {
    syntax: stringOf(format, "syntax", at) ?? "lark",
    definition: requiredString(format, "definition", at),
  };
}
