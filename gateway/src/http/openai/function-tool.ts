import type { Tool } from "../../contract/index.ts";
import { booleanOf, type JsonObject, objectOf, stringOf } from "./json-fields.ts";

/** Per call, including tools in namespaces: far more than models can choose from, and still fast to decode. */
export const MAX_TOOLS = 1_024;

/** Decodes a function, which both wires of this interface describe alike; `name` is its name for providers. */
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
