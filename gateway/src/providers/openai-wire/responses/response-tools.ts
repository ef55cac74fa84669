import { type Fields, isFields, isServedTool } from "../../../wires/index.ts";
import { withoutKeywords } from "../encode/wire-schema.ts";
import { usualChoice } from "../usual-choice.ts";
import type { WireVendor } from "../vendor.ts";

type Body = Record<string, unknown>;

/**
 * Removes hosted tools, also nested ones: in a namespace, or in an input item that brings its own. The depth of the
 * request, limited at the edge, limits this as well. The same object if nothing is removed.
 */
export function withServedTools<Holder extends Fields>(holder: Holder): Holder {
  const tools = holder?.["tools"];
  if (!Array.isArray(tools)) return holder;
  const served = servedTools(tools);
  return served.length === tools.length && served.every((tool, at) => tool === tools[at])
    ? holder
    : { ...holder, tools: served };
}

function servedTools(tools: readonly Fields[]): readonly Fields[] {
  return tools.filter(isServedTool).map(withServedTools);
}

/** Removes hosted tools, and any choice among tools that are gone. */
export function repairResponseTools(body: Body, vendor: WireVendor): void {
  const { tools } = body;
  const served = Array.isArray(tools) ? servedTools(tools) : [];
  if (served.length > 0) {
    body["tools"] =
      vendor.schemaDrops.length === 0 ? served : served.map((tool) => withPlainSchema(tool, vendor));
  } else if (Array.isArray(tools)) {
    delete body["tools"];
    if (broughtTools(body["input"]).length === 0) {
      for (const field of ["tool_choice", "parallel_tool_calls"]) delete body[field];
    }
  }
  const choice = repairedChoice(usualChoice(body["tool_choice"]), [
    ...served,
    ...broughtTools(body["input"]),
  ]);
  if (choice === undefined) delete body["tool_choice"];
  else body["tool_choice"] = choice;
}

/** The tools in input items, whose hosted ones have already been removed. */
function broughtTools(input: unknown): readonly Fields[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: Fields | null) => (Array.isArray(item?.["tools"]) ? item["tools"] : []));
}

function repairedChoice(choice: unknown, offered: readonly Fields[]): unknown {
  if (!isFields(choice)) return choice;
  // Only the tool itself says whose shell it is.
  const isLeft = (tool: Fields) =>
    tool?.["type"] === "shell" ? offered.some((each) => each?.["type"] === "shell") : isServedTool(tool);
  if (!isLeft(choice)) return undefined;
  const { tools } = choice;
  if (!Array.isArray(tools)) return choice;
  const left = tools.filter(isLeft).map(withServedTools);
  return left.length === 0 ? undefined : { ...choice, tools: left };
}

function withPlainSchema(tool: Fields, { schemaDrops }: WireVendor): Fields {
  const { parameters } = tool;
  return parameters === undefined ? tool : { ...tool, parameters: withoutKeywords(parameters, schemaDrops) };
}
