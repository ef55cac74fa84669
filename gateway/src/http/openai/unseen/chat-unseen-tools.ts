import type { Tool } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { withBareSchema } from "../response-format.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** Fields of a function that the estimate counts, in both forms of this wire. */
const FUNCTION: ReadonlySet<string> = new Set(["name", "description", "parameters", "strict"]);
const CUSTOM: ReadonlySet<string> = new Set(["name", "description", "format"]);
const FRAME: ReadonlySet<string> = new Set(["type", "function", "custom"]);
const FORMAT: ReadonlySet<string> = new Set(["grammar"]);
const GRAMMAR: ReadonlySet<string> = new Set(["definition"]);

/** `offered` are the neutral tools: `tool_choice` may leave some tools out of them, but all are sent upstream. */
export function addUnseenTools(body: JsonObject, offered: readonly Tool[], unseen: UnseenSize): void {
  const { tools, functions } = body;
  if (Array.isArray(tools) && tools.length > 0) {
    unseen.add(functions);
    const names = offered.length === tools.length ? null : new Set<unknown>(offered.map(({ name }) => name));
    for (const tool of tools) addTool(tool, names, unseen);
  } else if (Array.isArray(functions)) {
    for (const made of functions) unseen.addOthers(made, FUNCTION);
  }
}

/** `names` are the tools that the prompt shows; null if it shows all. */
function addTool(tool: JsonObject, names: ReadonlySet<unknown> | null, unseen: UnseenSize): void {
  const { type, function: made, custom } = tool;
  const isCustom = type === "custom";
  const isFunction = type === undefined || type === null || type === "function";
  const holder = isCustom ? custom : isFunction ? made : undefined;
  if (!isObject(holder) || names?.has(holder["name"]) === false) {
    unseen.add(tool);
    return;
  }
  unseen.addOthers(tool, FRAME);
  unseen.add(isCustom ? made : custom);
  unseen.addOthers(holder, isCustom ? CUSTOM : FUNCTION);
  if (isCustom) addCustomFormat(holder["format"], unseen);
}

/** A neutral tool's description includes its grammar, but no other format. */
function addCustomFormat(format: unknown, unseen: UnseenSize): void {
  const grammar = isObject(format) ? format["grammar"] : undefined;
  if (!isObject(format) || !isObject(grammar) || typeof grammar["definition"] !== "string") {
    unseen.add(format);
    return;
  }
  unseen.addOthers(format, FORMAT);
  unseen.addOthers(grammar, GRAMMAR);
}

const SCHEMA_FORMAT: ReadonlySet<string> = new Set(["type", "json_schema"]);
const SCHEMA: ReadonlySet<string> = new Set(["schema"]);

const BARE_SCHEMA_FORMAT: ReadonlySet<string> = new Set(["type", "schema"]);

export function addUnseenFormat(given: unknown, unseen: UnseenSize): void {
  const format = withBareSchema(given);
  if (isObject(format) && format["type"] === "json_object" && isObject(format["schema"])) {
    unseen.addOthers(format, BARE_SCHEMA_FORMAT);
    return;
  }
  const named = isObject(format) && format["type"] === "json_schema" ? format["json_schema"] : undefined;
  if (!isObject(format) || !isObject(named)) {
    unseen.add(format);
    return;
  }
  unseen.addOthers(format, SCHEMA_FORMAT);
  unseen.addOthers(named, SCHEMA);
}
