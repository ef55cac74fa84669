import type { ResponseFormat } from "../../contract/index.ts";
import { invalid, isObject } from "../../kit/index.ts";
import { booleanOf, type JsonObject, stringOf } from "./json-fields.ts";

/** Undefined if there is none, or one that only an upstream of the same wire knows. */
export function decodeResponseFormat(body: JsonObject): ResponseFormat | undefined {
  const format = withBareSchema(body["response_format"] ?? undefined);
  if (format === undefined) return undefined;
  const type = isObject(format) ? format["type"] : undefined;
  if (!isObject(format) || typeof type !== "string") {
    throw invalid("response_format", "must be an object with the type text, json_object or json_schema");
  }
  switch (type) {
    case "text":
      return { type };
    case "json_object":
      // Some servers, and clients made for them, put a schema here.
      return isObject(format["schema"]) && Object.keys(format["schema"]).length > 0
        ? { type: "json_schema", name: UNNAMED, schema: ofObject(format["schema"]) }
        : { type: "json" };
    case "json_schema":
      return schemaFormat(format["json_schema"], "response_format.json_schema");
    default:
      return undefined;
  }
}

/** An object was requested, but a schema without a type would allow any value. */
function ofObject(schema: JsonObject): JsonObject {
  return (schema["type"] ?? null) === null ? { ...schema, type: "object" } : schema;
}

/** Providers require a name, which some clients omit. */
const UNNAMED = "response";

/** Text Generation Inference, and clients made for it, call the schema of a `json_object` its `value`. */
export function withBareSchema(format: unknown): unknown {
  if (!isObject(format) || format["type"] !== "json_object") return format;
  const { value, ...others } = format;
  return isObject(value) && !isObject(format["schema"]) ? { ...others, schema: value } : format;
}

/** Decodes a named schema, which both wires of this interface write alike. */
export function schemaFormat(given: unknown, path: string): ResponseFormat {
  if (!isObject(given)) throw invalid(path, "must be an object with name and schema");
  const { schema } = given;
  const name = stringOf(given, "name", path) || UNNAMED;
  const description = stringOf(given, "description", path);
  if (!isObject(schema)) throw invalid(`${path}.schema`, "must be a JSON schema");
  const strict = booleanOf(given, "strict", path);
  return {
    type: "json_schema",
    name,
    schema,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
  };
}
