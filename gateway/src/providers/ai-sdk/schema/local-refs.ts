import { isObject } from "../../../kit/index.ts";
import { createUnfoldBudget, type UnfoldBudget } from "./unfold-budget.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

/** References within one document, a client's schema. */
export type LocalRefs = {
  /** Undefined if there is nothing. */
  find(path: readonly string[]): unknown;
  /**
   * Calls `then` with the schemas, their references expanded in place. A reference is dropped if it leads nowhere, or
   * into a definition that is being expanded.
   */
  writeOut<Result>(
    schemas: readonly SchemaObject[],
    then: (written: readonly SchemaObject[]) => Result,
  ): Result;
};

export function createLocalRefs(root: SchemaObject, budget = createUnfoldBudget([root])): LocalRefs {
  const underWay = new Set<object>([root]);
  const lengths = new Map<object, number>();

  function pay(definition: object, beside: object): void {
    budget.payDefinition(lengths.getOrInsertComputed(definition, () => JSON.stringify(definition).length));
    budget.payNames(Object.keys(beside).length);
  }

  function find(path: readonly string[]): unknown {
    let at: unknown = root;
    for (const name of path) {
      if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
      at = (at as SchemaObject)[name];
    }
    return at;
  }

  /** Adds the definitions that it expands to `entered`. */
  function follow(schema: SchemaObject, entered: object[]): SchemaObject | null {
    let written = schema;
    while (typeof written["$ref"] === "string") {
      const { $ref, ...beside } = written;
      const path = pathOf($ref as string);
      const definition = path && find(path);
      if (!isObject(definition) || underWay.has(definition)) return null;
      pay(definition, beside);
      underWay.add(definition);
      entered.push(definition);
      written = { ...definition, ...beside };
    }
    return written;
  }

  return {
    find,
    writeOut(schemas, then) {
      const entered: object[] = [];
      try {
        return then(schemas.map((schema) => follow(schema, entered)).filter((written) => written !== null));
      } finally {
        for (const definition of entered) underWay.delete(definition);
      }
    },
  };
}

/** Null for a reference to another document or to an anchor. */
export function pathOf(ref: string): string[] | null {
  const [document, ...names] = ref.split("/");
  if (document !== "#") return null;
  return ref.includes("%") || ref.includes("~") ? names.map(unescaped) : names;
}

function unescaped(name: string): string {
  return decoded(name).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Expands a schema that is only a reference at its top, since no provider accepts one there. */
export function writeOutTop(schema: SchemaObject, budget?: UnfoldBudget): SchemaObject {
  return createLocalRefs(schema, budget).writeOut([schema], ([written]) => written ?? schema);
}

export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
