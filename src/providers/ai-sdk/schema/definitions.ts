import { isObject } from "../../../kit/index.ts";
import { type LocalRefs, pathOf, type SchemaObject } from "./local-refs.ts";

/** The definitions of a schema for a provider that knows them by one word only, and only at its top. */
export type Definitions = {
  /** The reference to be sent in place of the client's, whose definition is then one of ours. */
  refFor(ref: string): string;
  /** Each with the name that references have; also those that are first referred to while the others are read. */
  all(): Iterable<readonly [name: string, schema: unknown]>;
};

const WORDS = ["$defs", "definitions"] as const;

export function gatherDefinitions(root: SchemaObject, refs: LocalRefs): Definitions {
  const names = new Map<string, { readonly name: string; readonly schema: unknown }>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();

  function nameOf(path: readonly string[], schema: unknown): string {
    const key = JSON.stringify(path);
    const known = names.get(key);
    if (known) return known.name;
    const name = newName(path.at(-1) ?? "root");
    taken.add(name);
    names.set(key, { name, schema });
    return name;
  }

  /** In letters that stand in a reference as they are. */
  function newName(wanted: string): string {
    const plain = wanted.replaceAll(/[^\w.-]/g, "_");
    let name = plain;
    let count = counts.get(plain) ?? 1;
    while (taken.has(name)) name = `${plain}_${++count}`;
    counts.set(plain, count);
    return name;
  }

  for (const word of WORDS) {
    const written = root[word];
    if (!isObject(written)) continue;
    for (const [name, schema] of Object.entries(written)) nameOf([word, name], schema);
  }
  return {
    refFor(ref) {
      const path = pathOf(ref);
      const schema = path === null ? undefined : refs.find(path);
      return path === null || schema === undefined ? ref : `#/$defs/${nameOf(path, schema)}`;
    },
    *all() {
      for (const { name, schema } of names.values()) yield [name, schema];
    },
  };
}

export function isDefinitionsWord(keyword: string): boolean {
  return WORDS.some((word) => word === keyword);
}
