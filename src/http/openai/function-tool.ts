import type { Tool } from "../../providers/index.ts";
import type { JsonObject } from "./json-fields.ts";
import { optionalBoolean, optionalObject, optionalString } from "./nested-field.ts";

/** Of one call, those of namespaces included: far above what models can choose from, and soon read. */
export const MAX_TOOLS = 1_024;

/** What both wires of this interface say of a function, under the name that providers know it by. */
export function functionTool(given: JsonObject, at: string, name: string): Tool {
  const description = optionalString(given, "description", at);
  const parameters = optionalObject(given, "parameters", at);
  const strict = optionalBoolean(given, "strict", at);
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === null ? {} : { parameters }),
    ...(strict === null ? {} : { strict }),
  };
}
