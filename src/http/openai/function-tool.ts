import type { Tool } from "../../providers/index.ts";
import { booleanOf, type JsonObject, objectOf, stringOf } from "./json-fields.ts";

/** Of one call, those of namespaces included: far above what models can choose from, and soon read. */
export const MAX_TOOLS = 1_024;

/** What both wires of this interface say of a function, under the name that providers know it by. */
export function functionTool(given: JsonObject, at: string, name: string): Tool {
  const description = stringOf(given, "description", at);
  const parameters = objectOf(given, "parameters", at);
  const strict = booleanOf(given, "strict", at);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
  };
}
