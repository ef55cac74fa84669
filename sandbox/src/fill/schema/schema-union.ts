import { isObject } from "../../../../gateway/src/kit/index.ts";
import { listIn, type SchemaNode } from "./schema-node.ts";

const MAX_BRANCHES = 64;

/** A choice of schemas, and what applies whichever is chosen, including further choices. */
export type Union = { readonly branches: readonly unknown[]; readonly rest: SchemaNode };

type Without = (node: SchemaNode, keywords: readonly string[]) => SchemaNode;

/** The first choice in a merged schema: its own, or that of a part that could not be merged into it. */
export function unionIn(node: SchemaNode, without: Without): Union | undefined {
  const own = choiceOf(node);
  if (own !== undefined) return { branches: own.branches, rest: own.rest(without) };
  const parts = listIn(node, "allOf");
  for (const [at, part] of parts.entries()) {
    const choice = isObject(part) ? choiceOf(part) : undefined;
    if (choice === undefined) continue;
    const others = [...parts.slice(0, at), choice.rest(without), ...parts.slice(at + 1)];
    return { branches: choice.branches, rest: { ...without(node, ["allOf"]), allOf: others } };
  }
  return undefined;
}

type Choice = { readonly branches: readonly unknown[]; readonly rest: (without: Without) => SchemaNode };

function choiceOf(node: SchemaNode): Choice | undefined {
  for (const keyword of ["oneOf", "anyOf"]) {
    const stated = node[keyword];
    if (Array.isArray(stated) && stated.length > 0)
      return { branches: stated.slice(0, MAX_BRANCHES), rest: (without) => without(node, [keyword]) };
  }
  if (node["if"] !== undefined) {
    const { if: condition, then: yes = true, else: no = true } = node;
    const branches = [{ allOf: [condition, yes] }, { allOf: [{ not: condition }, no] }];
    return { branches, rest: (without) => without(node, ["if", "then", "else"]) };
  }
  return isObject(node["dependentSchemas"]) ? dependencyOf(node, node["dependentSchemas"]) : undefined;
}

/** With the property and everything that depends on it, or without it. */
function dependencyOf(node: SchemaNode, dependent: SchemaNode): Choice | undefined {
  const [first, ...others] = Object.entries(dependent).slice(0, MAX_BRANCHES);
  if (first === undefined) return undefined;
  const [name, schema] = first;
  const branches = [
    { required: [name], allOf: [schema] },
    { properties: Object.fromEntries([[name, false]]) },
  ];
  const dependentSchemas = Object.fromEntries(others);
  return { branches, rest: (without) => ({ ...without(node, ["dependentSchemas"]), dependentSchemas }) };
}
