import { ProviderFailure } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { CHOICES } from "../../schema-keywords.ts";
import {
  createLocalRefs,
  type LocalRefs,
  namesIn,
  objectsIn,
  type SchemaObject,
  writeOutTop,
} from "./local-refs.ts";
import { createUnfoldBudget, type UnfoldBudget } from "./unfold-budget.ts";

/** Most branches in total; real tools have a dozen. */
const MAX_BRANCHES = 10_000;

type Found = {
  /** All schemas of each property. */
  readonly properties: Map<string, unknown[]>;
  readonly budget: UnfoldBudget;
  branches: number;
};

/**
 * A tool's parameters without `anyOf`, `oneOf` or `allOf` at the top, which some providers refuse: one object with the
 * properties of all branches. Only properties that every branch requires stay required, so nothing becomes impossible
 * to express.
 */
export function flattenParameters(schema: unknown, budget = createUnfoldBudget([schema])): unknown {
  if (!isObject(schema)) return schema;
  const top = writeOutTop(schema, budget);
  if (!CHOICES.some((keyword) => Array.isArray(top[keyword]))) return top;
  const { anyOf, oneOf, allOf, properties: own, required, ...rest } = top;
  const found: Found = { properties: new Map(), budget, branches: 0 };
  const demanded = gather({ anyOf, oneOf, allOf, required }, createLocalRefs(schema, budget), found) ?? [];
  const properties = [...found.properties].map(([name, schemas]) => [name, anyOfThem(schemas)] as const);
  return {
    ...rest,
    type: "object",
    properties: { ...Object.fromEntries(properties), ...(isObject(own) ? own : {}) },
    ...(demanded.length === 0 ? {} : { required: [...new Set(demanded)] }),
  };
}

/** Collects the properties of a schema and its branches. Returns the required names; null if it leads to no schema. */
function gather(schema: SchemaObject, refs: LocalRefs, found: Found): string[] | null {
  if (++found.branches > MAX_BRANCHES)
    throw new ProviderFailure("rejected", "This model cannot take a JSON schema with so many choices.");
  return refs.writeOut([schema], ([written]) => {
    if (written === undefined) return null;
    const { properties, required, anyOf, oneOf, allOf } = written;
    const own = Object.entries(isObject(properties) ? properties : {});
    found.budget.payNames(own.length);
    for (const [name, property] of own) found.properties.getOrInsert(name, []).push(property);
    const demandedBy = (branches: unknown) =>
      objectsIn(branches)
        .map((branch) => gather(branch, refs, found))
        .filter((names) => names !== null);
    const demanded = [
      ...namesIn(required),
      ...demandedBy(allOf).flat(),
      ...inEach(demandedBy(anyOf)),
      ...inEach(demandedBy(oneOf)),
    ];
    found.budget.payNames(demanded.length);
    return demanded;
  });
}

/** Distinct schemas, compared as text; only if there are several do they have to be serialised, each once. */
function anyOfThem(schemas: readonly unknown[]): unknown {
  const several = new Set(schemas);
  if (several.size === 1) return schemas[0];
  const different = [...new Map([...several].map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}

function inEach([first, ...others]: readonly string[][]): string[] {
  const sets = others.map((names) => new Set(names));
  return (first ?? []).filter((name) => sets.every((names) => names.has(name)));
}
