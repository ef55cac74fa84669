import { listIn, NEVER, namedIn, numberOf, requiredOf, type SchemaNode, typesOf } from "./schema-node.ts";
import type { SchemaReader } from "./schema-reader.ts";

/** Nested choices without descending a level; stops a schema that is a choice of itself. */
const MAX_CHOICES = 50;

/** The minimum nesting depth of a schema's values: 0 for a number, infinite for one that requires itself. */
export function createHeights(reader: SchemaReader, most: number): (node: SchemaNode) => number {
  /** Depth within which a node is known to end, and depth within which it is known not to. */
  const ending = new Map<SchemaNode, number>();
  const unending = new Map<SchemaNode, number>();

  function ends(node: SchemaNode, levels: number, choices: number): boolean {
    if (node === NEVER || choices > MAX_CHOICES) return false;
    if (levels >= (ending.get(node) ?? Number.POSITIVE_INFINITY)) return true;
    if (levels <= (unending.get(node) ?? -1)) return false;
    if (!reader.look(1)) return true;
    const does = endsAnew(node, levels, choices);
    (does ? ending : unending).set(node, levels);
    return does;
  }

  function endsAnew(node: SchemaNode, levels: number, choices: number): boolean {
    if ("const" in node || Array.isArray(node["enum"])) return true;
    const union = reader.union(node);
    if (union !== undefined) {
      return union.branches.some((branch) => ends(reader.choose(union.rest, branch), levels, choices + 1));
    }
    const below = (schema: unknown) => levels > 0 && ends(reader.resolve(schema), levels - 1, 0);
    return typesOf(node).some((type) => {
      if (type === "object")
        return !reader.look(requiredOf(node).length) || requiredSchemas(node).every(below);
      return type === "array" ? neededItems(node).every(below) : true;
    });
  }

  return (node) => {
    for (let levels = 0; levels <= most; levels++) if (ends(node, levels, 0)) return levels;
    return Number.POSITIVE_INFINITY;
  };
}

function requiredSchemas(node: SchemaNode): unknown[] {
  const properties = namedIn(node, "properties");
  return requiredOf(node).map((name) =>
    Object.hasOwn(properties, name) ? properties[name] : node["additionalProperties"],
  );
}

function neededItems(node: SchemaNode): unknown[] {
  const leading = listIn(node, "prefixItems");
  const count = numberOf(node, "minItems") ?? 0;
  const behind = count > leading.length ? [node["items"]] : [];
  return [...leading.slice(0, Math.max(0, count)), ...behind];
}
