import { z } from "zod";
import { ERROR_CODES } from "../../kit/index.ts";
import { camelName, FILE, OPERATIONS, type Operation, snakeName } from "../../operations/index.ts";
import { API_VERSION } from "../reply.ts";

type Json = Readonly<Record<string, unknown>>;
const SCHEMAS = "#/components/schemas/";

/** The OpenAPI 3.1 document of every operation that has a path, with named types for generated clients. */
export function managementDocument(publicUrl: string): Json {
  const named: Record<string, Json> = { ErrorReply: ERROR };
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of OPERATIONS as readonly Operation[]) {
    for (const [at, line] of operation.rest.entries()) {
      const [method = "", path = ""] = line.split(" ");
      const described = operationOf(operation, { method, path, at, named });
      paths[path] = { ...paths[path], [method.toLowerCase()]: described };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Bursar management",
      version: API_VERSION,
      description:
        "Administers organizations, keys, members, credits and the library with a management key, and reads usage and the audit log. `{org}` takes an id or a slug.",
    },
    servers: [{ url: `${publicUrl}/manage/v1` }],
    security: [{ managementKey: [] }],
    paths,
    components: {
      securitySchemes: { managementKey: { type: "http", scheme: "bearer" } },
      schemas: named,
    },
  };
}

/** `key.set-role` becomes `setRoleOfKey`; the second path of an operation is that of the installation. */
function operationOf(
  operation: Operation,
  { method, path, at, named }: { method: string; path: string; at: number; named: Record<string, Json> },
): Json {
  const { name, area, access, words, who } = operation;
  const operationId = `${camelName(name.replace(/[.-]/g, "_"))}${at === 0 ? "" : "OfInstallation"}`;
  const typeName = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param);
  const input = schemaOf(operation.input, named, "input");
  const { properties = {}, required = [] } = input as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const others = Object.keys(properties).filter((field) => !inPath.includes(field));
  const isInBody = method === "POST" || method === "PATCH";
  const parameter = (field: string, place: "path" | "query") => ({
    name: field,
    in: place,
    required: place === "path" || required.includes(field),
    description: properties[field]?.["description"],
    schema: properties[field] ?? { type: "string", description: "The organization's id or slug." },
  });
  const parameters = [
    ...inPath.map((field) => parameter(field, "path")),
    ...(isInBody ? [] : others.map((field) => parameter(field, "query"))),
  ];
  const must = required.filter((field) => others.includes(field));
  if (isInBody) {
    named[`${typeName}Request`] = {
      type: "object",
      properties: Object.fromEntries(others.map((field) => [field, properties[field]])),
      ...(must.length > 0 ? { required: must } : {}),
    };
  }
  const scope = area === "system" ? area : `${area}:${access}`;
  const isOperators = who === "operator" || at > 0 || operation.place === "installation";
  return {
    operationId,
    tags: [area],
    summary: words.about,
    description: `${words.notes ? `${words.notes}\n\n` : ""}Needs ${isOperators ? "an operator's key with " : ""}the scope \`${scope}\`.`,
    parameters,
    ...(isInBody
      ? {
          requestBody: {
            required: must.length > 0,
            content: { "application/json": { schema: { $ref: `${SCHEMAS}${typeName}Request` } } },
          },
        }
      : {}),
    responses: {
      "200": { description: "Done.", content: contentOf(operation, typeName, named) },
      default: {
        description: "Refused, or failed: the error says why.",
        content: { "application/json": { schema: { $ref: `${SCHEMAS}ErrorReply` } } },
      },
    },
  };
}

function contentOf({ output }: Operation, typeName: string, named: Record<string, Json>): Json {
  if (output === FILE) return { "text/csv": { schema: { type: "string" } } };
  const made = schemaOf(output, named, "output");
  if ("$ref" in made) return { "application/json": { schema: made } };
  named[`${typeName}Reply`] = made;
  return { "application/json": { schema: { $ref: `${SCHEMAS}${typeName}Reply` } } };
}

/** With the names of the wire. Parts that have an id of their own go to `named`. */
function schemaOf(schema: z.ZodType, named: Record<string, Json>, io: "input" | "output"): Json {
  const {
    $schema: _,
    $defs = {},
    ...made
  } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // The bounds of safe integers tell nobody anything.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  for (const [id, part] of Object.entries($defs)) named[id] = onWire(part) as Json;
  const { id, ...whole } = made as Json & { readonly id?: string };
  if (id === undefined) return onWire(whole) as Json;
  named[id] = onWire(whole) as Json;
  return { $ref: `${SCHEMAS}${id}` };
}

/** Only what names fields is renamed: other words of a schema are the same on every face. Replies may get further fields. */
function onWire(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(onWire);
  if (typeof part !== "object" || part === null) return part;
  const made: Record<string, unknown> = {};
  for (const [word, value] of Object.entries(part)) {
    if (word === "additionalProperties" && value === false) continue;
    if (["id", "readOnly", "propertyNames", "$schema"].includes(word)) continue;
    if (word === "$ref") made[word] = String(value).replace("#/$defs/", SCHEMAS);
    else if (word === "required") made[word] = (value as readonly string[]).map(snakeName);
    else if (word === "properties") {
      made[word] = Object.fromEntries(
        Object.entries(value as object).map(([field, of]) => [snakeName(field), onWire(of)]),
      );
    } else made[word] = onWire(value);
  }
  return made;
}

const ERROR = onWire(
  z.toJSONSchema(
    z.object({
      error: z.object({ code: z.enum(ERROR_CODES), message: z.string(), request_id: z.string().nullable() }),
    }),
  ),
) as Json;
