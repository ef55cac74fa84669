import type { ResponseFormat } from "../../../../contract/index.ts";
import { invalid } from "../../../../kit/index.ts";
import { type JsonObject, objectOf, requiredText } from "../../json-fields.ts";
import { schemaFormat } from "../../response-format.ts";

const AT = "text.format";

/** Decodes `text.format`; undefined if it asks for plain text. */
export function decodeFormat(text: JsonObject): ResponseFormat | undefined {
  const format = objectOf(text, "format", "text");
  if (format === undefined) return undefined;
  switch (format["type"]) {
    case "text":
      return undefined;
    case "json_object":
      return { type: "json" };
    case "json_schema":
      return decodeSchemaFormat(format);
    default:
      throw invalid(`${AT}.type`, "must be one of text, json_object, json_schema");
  }
}

/** On this wire the name is required. */
function decodeSchemaFormat(format: JsonObject): ResponseFormat {
  requiredText(format, "name", AT);
  return schemaFormat(format, AT);
}

/** The format as the reply repeats it. */
export function encodeFormat(format: ResponseFormat | undefined): JsonObject {
  if (format === undefined || format.type === "text") return { type: "text" };
  if (format.type === "json") return { type: "json_object" };
  const { type, name, description, schema, strict = false } = format;
  return { type, name, ...(description === undefined ? {} : { description }), schema, strict };
}
