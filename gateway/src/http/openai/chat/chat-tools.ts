import type { Tool, ToolChoice } from "../../../contract/index.ts";
import { invalid, isObject } from "../../../kit/index.ts";
import { type CallStyle, PLAIN_CALLS } from "../call-style.ts";
import { customToolAsFunction } from "../custom-tool.ts";
import { functionTool, MAX_TOOLS } from "../function-tool.ts";
import { type JsonObject, requiredText, stringOf } from "../json-fields.ts";
import { decodeToolChoice } from "../tool-choice.ts";
import { cacheOf } from "./chat-part.ts";

type OfferedTools = {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice | undefined;
  readonly style: CallStyle;
};

const NO_TOOLS: OfferedTools = { tools: [], choice: undefined, style: PLAIN_CALLS };

/**
 * Reads `tools`, or `functions` (the older form) if there are none. Tools that have no neutral form are left to
 * upstreams of the same wire.
 */
export function decodeTools(body: JsonObject): OfferedTools {
  const given = listOf(body, "tools");
  if (given !== undefined && given.length > 0) return currentTools(given, body["tool_choice"]);
  const functions = listOf(body, "functions");
  if (functions !== undefined && functions.length > 0) return olderTools(functions, body["function_call"]);
  return NO_TOOLS;
}

function listOf(body: JsonObject, field: string): readonly unknown[] | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || (Array.isArray(value) && value.length <= MAX_TOOLS)) return value;
  throw invalid(field, `must be a list of at most ${MAX_TOOLS} tools`);
}

function currentTools(given: readonly unknown[], choice: unknown): OfferedTools {
  const tools: Tool[] = [];
  const customTools = new Set<string>();
  for (const [at, tool] of given.entries()) {
    const path = `tools[${at}]`;
    if (!isObject(tool)) throw invalid(path, "must be an object with a type");
    const type = stringOf(tool, "type", path) ?? "function";
    if (type === "function") {
      const made = tool["function"];
      // Clients set `cache_control` on either of the two.
      tools.push({ ...decodeFunction(made, `${path}.function`), ...cacheOf(tool), ...cacheOf(made) });
    }
    if (type === "custom") {
      const custom = decodeCustom(tool["custom"], `${path}.custom`);
      customTools.add(custom.name);
      tools.push(custom);
    }
  }
  const chosen = decodeToolChoice(choice, tools);
  const isNamed = typeof chosen.choice === "object";
  return { ...chosen, style: { customTools, isFunctionCall: false, isNamed } };
}

function olderTools(functions: readonly unknown[], call: unknown): OfferedTools {
  const tools = functions.map((made, at) => decodeFunction(made, `functions[${at}]`));
  const choice = decodeFunctionCall(call, tools);
  return {
    tools,
    choice,
    style: { ...PLAIN_CALLS, isFunctionCall: true, isNamed: typeof choice === "object" },
  };
}

function decodeFunctionCall(call: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (call === undefined || call === null) return undefined;
  if (call === "auto" || call === "none") return call;
  const name = isObject(call) ? call["name"] : undefined;
  if (typeof name === "string" && tools.some((tool) => tool.name === name)) return { name };
  throw invalid("function_call", "must be auto, none or an object with the name of a function");
}

function decodeFunction(made: unknown, path: string): Tool {
  if (!isObject(made)) throw invalid(path, "must be an object with a name");
  return functionTool(made, path, requiredText(made, "name", path));
}

function decodeCustom(custom: unknown, path: string): Tool {
  if (!isObject(custom)) throw invalid(path, "must be an object with a name");
  const { format } = custom;
  return customToolAsFunction({
    name: requiredText(custom, "name", path),
    description: stringOf(custom, "description", path),
    grammar: isObject(format) ? grammarOf(format["grammar"]) : undefined,
  });
}

function grammarOf(grammar: unknown): { syntax: string; definition: string } | undefined {
  if (!isObject(grammar) || typeof grammar["definition"] !== "string") return undefined;
  return { syntax: String(grammar["syntax"] ?? "lark"), definition: grammar["definition"] };
}
