/** One JSON schema, read loosely: clients send every dialect, and a strange keyword is no reason to fail. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Schemas read to resolve one: `allOf` of references to itself would otherwise never end. */
const MAX_READ = 64;

export function isRecord(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema with its `$ref` followed and its `allOf` folded in; an empty one where there is nothing to read. */
export function resolveNode(schema: unknown, root: unknown): SchemaNode {
  return resolve(schema, root, { left: MAX_READ });
}

function resolve(schema: unknown, root: unknown, budget: { left: number }): SchemaNode {
  if (!isRecord(schema) || --budget.left < 0) return {};
  const { $ref, allOf, ...own } = schema;
  let node: SchemaNode = own;
  if (typeof $ref === "string") node = merge(resolve(target($ref, root), root, budget), node);
  if (Array.isArray(allOf))
    for (const part of allOf.slice(0, MAX_READ)) node = merge(node, resolve(part, root, budget));
  return node;
}

/** Pointers inside the document only: the sandbox fetches nothing. */
function target(pointer: string, root: unknown): unknown {
  if (!pointer.startsWith("#")) return undefined;
  let value: unknown = root;
  for (const step of pointer.slice(1).split("/").filter(Boolean)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function merge(left: SchemaNode, right: SchemaNode): SchemaNode {
  const properties =
    isRecord(left["properties"]) && isRecord(right["properties"])
      ? { properties: { ...left["properties"], ...right["properties"] } }
      : {};
  const required = [...requiredOf(left), ...requiredOf(right)];
  return { ...left, ...right, ...properties, ...(required.length > 0 ? { required } : {}) };
}

export function requiredOf(node: SchemaNode): string[] {
  const { required } = node;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

export function numberOf(node: SchemaNode, keyword: string): number | undefined {
  const value = node[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

const TYPES: readonly SchemaType[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** The type to make: the stated one, the first that is not null of several, or what the keywords suggest. */
export function typeOf(node: SchemaNode): SchemaType {
  const { type } = node;
  const stated = Array.isArray(type) ? (type.find((each) => each !== "null") ?? "null") : type;
  const known = TYPES.find((each) => each === stated);
  if (known !== undefined) return known;
  if (node["properties"] !== undefined || node["additionalProperties"] !== undefined) return "object";
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) return "array";
  if (node["minimum"] !== undefined || node["maximum"] !== undefined) return "number";
  return "string";
}
