import type { Tool, ToolChoice } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { isServedTool } from "../../../../wires/index.ts";
import { type JsonObject, stringOf } from "../../json-fields.ts";
import { SEARCH_NAME, type ToolTable } from "./tool-table.ts";

type OfferedTools = { readonly tools?: readonly Tool[]; readonly toolChoice?: ToolChoice };

const NOT_RUN_HERE = "names a tool that cannot run here; leave it out, or use auto";
const ACCEPTS = "must be auto, none, required, or an object that names one of the tools";

/** The tools that a provider may choose from, and whether it must choose one. */
export function decodeToolChoice(choice: unknown, table: ToolTable): OfferedTools {
  const { tools } = table;
  if (choice === undefined || choice === null) return offer(tools);
  if (choice === "auto" || choice === "none" || choice === "required") return offer(tools, choice);
  if (!isObject(choice)) throw invalid("tool_choice", ACCEPTS);
  switch (choice["type"]) {
    case "function":
    case "custom":
      return offer(tools, { name: chosenName(choice, "tool_choice", table) });
    case "allowed_tools":
      return decodeAllowed(choice, table);
    default:
      if (typeof choice["type"] !== "string") throw invalid("tool_choice.type", "must be a string");
      if (isHosted(choice)) throw invalid("tool_choice", NOT_RUN_HERE);
      // A client-run tool that only this wire knows, which an upstream of this wire may serve; or a mode as another
      // wire writes it.
      return offer(tools);
  }
}

/**
 * Whether the tool is run by the original service of this wire or by another one. In the list of tools such tools are
 * left out, but a choice that requires one is refused. Only the definition of a `shell` tells who runs it.
 */
function isHosted(tool: JsonObject): boolean {
  return tool["type"] !== "shell" && !OTHER_WIRES_WORDS.has(tool["type"]) && !isServedTool(tool);
}

const OTHER_WIRES_WORDS: ReadonlySet<unknown> = new Set(["auto", "none", "any", "required", "tool"]);

/** Providers refuse a choice without tools. */
function offer(tools: readonly Tool[], toolChoice?: ToolChoice): OfferedTools {
  if (tools.length === 0) return {};
  return { tools, ...(toolChoice === undefined ? {} : { toolChoice }) };
}

function decodeAllowed(choice: JsonObject, table: ToolTable): OfferedTools {
  const mode = stringOf(choice, "mode", "tool_choice") ?? "auto";
  if (mode !== "auto" && mode !== "required") throw invalid("tool_choice.mode", "must be auto or required");
  const allowed = choice["tools"];
  if (!Array.isArray(allowed)) throw invalid("tool_choice.tools", "must be a list");
  const names = new Set<string>();
  const namespaces = new Set<unknown>();
  for (const [index, tool] of allowed.entries()) {
    const at = `tool_choice.tools[${index}]`;
    if (!isObject(tool)) throw invalid(at, "must be an object");
    if (tool["type"] === "function" || tool["type"] === "custom") names.add(chosenName(tool, at, table));
    else if (tool["type"] === "namespace") namespaces.add(tool["name"]);
    else if (tool["type"] === SEARCH_NAME) names.add(table.builtInName(SEARCH_NAME));
  }
  if (mode === "required" && allowed.length > 0 && allowed.every(isHosted))
    throw invalid("tool_choice.tools", NOT_RUN_HERE);
  return offer(
    table.tools.filter(({ name }) => {
      const { namespace } = table.callerTool(name);
      return names.has(name) || (namespace !== undefined && namespaces.has(namespace));
    }),
    mode,
  );
}

function chosenName(choice: JsonObject, at: string, table: ToolTable): string {
  const name = stringOf(choice, "name", at);
  const namespace = stringOf(choice, "namespace", at);
  const neutral = name === undefined ? undefined : table.neutralName(name, namespace);
  if (neutral === undefined || !table.has(neutral))
    throw invalid(`${at}.name`, "must be the name of one of the tools");
  return neutral;
}
