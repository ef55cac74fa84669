import type { Tool, ToolChoice } from "../../contract/index.ts";
import { type AppError, invalid, isObject } from "../../kit/index.ts";
import type { JsonObject } from "./json-fields.ts";

type ChosenTools = { readonly tools: readonly Tool[]; readonly choice: ToolChoice | undefined };

/** Some servers of this wire say `any` for `required`. */
export const TOOL_MODES: ReadonlyMap<unknown, ToolChoice> = new Map<unknown, ToolChoice>([
  ["auto", "auto"],
  ["none", "none"],
  ["required", "required"],
  ["any", "required"],
]);

/** Decodes `tool_choice`. Returns only those tools that it allows. */
export function decodeToolChoice(given: unknown, tools: readonly Tool[]): ChosenTools {
  if (given === undefined || given === null) return { tools, choice: undefined };
  const mode = TOOL_MODES.get(given);
  if (mode !== undefined) return { tools, choice: mode };
  if (!isObject(given)) throw badChoice("tool_choice");
  switch (given["type"]) {
    case "function":
    case "custom":
      return { tools, choice: { name: namedTool(given, tools) } };
    case "allowed_tools":
      return allowedTools(given["allowed_tools"], tools);
    default:
      // Names a hosted tool, which only an upstream of the same wire has.
      return { tools, choice: undefined };
  }
}

function namedTool(given: JsonObject, tools: readonly Tool[]): string {
  const name = nameIn(given);
  if (tools.some((tool) => tool.name === name)) return name ?? "";
  throw invalid("tool_choice", "must name one of the tools");
}

function allowedTools(allowed: unknown, tools: readonly Tool[]): ChosenTools {
  const mode = isObject(allowed) ? TOOL_MODES.get(allowed["mode"] ?? "auto") : undefined;
  if (!isObject(allowed) || mode === undefined) throw badChoice("tool_choice.allowed_tools");
  const { tools: list } = allowed;
  if (!Array.isArray(list)) throw invalid("tool_choice.allowed_tools.tools", "must be a list of tools");
  const names = new Set(list.map((tool: unknown) => (isObject(tool) ? nameIn(tool) : undefined)));
  return { tools: tools.filter(({ name }) => names.has(name)), choice: mode };
}

function nameIn(tool: JsonObject): string | undefined {
  const named = tool[String(tool["type"])];
  const name = isObject(named) ? named["name"] : tool["name"];
  return typeof name === "string" ? name : undefined;
}

function badChoice(field: string): AppError {
  return invalid(field, "must be auto, none, required, or an object that names a tool");
}
