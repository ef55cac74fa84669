import { withoutKeywords } from "../encode/wire-schema.ts";
import { inUsualWords } from "../usual-choice.ts";
import type { WireVendor } from "../vendor.ts";
import { type Fields, isFields } from "../wire-fields.ts";

type Body = Record<string, unknown>;

/** Run by the client, or told to the model: what else there is the provider runs, at a price that no model's covers. */
const SERVED: ReadonlySet<unknown> = new Set([
  "function",
  "custom",
  "namespace",
  "tool_search",
  "local_shell",
  "apply_patch",
  "computer",
  "computer_use",
  "computer_use_preview",
  // Of a choice among them.
  "allowed_tools",
]);

/** False for tools that the provider would run and bill. Agents list them unasked, so they are left out, not refused. */
export function isServedTool(tool: Fields | null | undefined): boolean {
  const type = tool?.["type"] ?? "function";
  // A shell is the client's own only where it says so; otherwise the provider rents out a machine.
  if (type === "shell") return (tool?.["environment"] as Fields | undefined)?.["type"] === "local";
  return SERVED.has(type);
}

/**
 * Without hosted tools, also where tools stand inside another thing: a namespace, or an item of the input that brings
 * its own. The request's depth, bounded at the edge, bounds this too. The same object where nothing goes.
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

/** Leaves hosted tools out, and whatever chooses among tools that are not there any more. */
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
  const choice = repairedChoice(inUsualWords(body["tool_choice"]), [
    ...served,
    ...broughtTools(body["input"]),
  ]);
  if (choice === undefined) delete body["tool_choice"];
  else body["tool_choice"] = choice;
}

/** What items of the input offer: the hosted ones are not in them any more. */
function broughtTools(input: unknown): readonly Fields[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: Fields | null) => (Array.isArray(item?.["tools"]) ? item["tools"] : []));
}

function repairedChoice(choice: unknown, offered: readonly Fields[]): unknown {
  if (!isFields(choice)) return choice;
  // Whose shell is meant only the tool itself says.
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
