import { isObject } from "../../../kit/index.ts";
import { type LocalRefs, pathOf, type SchemaObject } from "./local-refs.ts";
import { refuseReferences } from "./many-references.ts";

/** The definitions of a schema, for a provider that accepts only `$defs`, and only at the top. */
export type Definitions = {
  /** The reference to send instead of the client's; adds its definition to ours. */
  refFor(ref: string): string;
  /** Includes definitions that are first referenced while the others are iterated. */
  all(): Iterable<readonly [name: string, schema: unknown]>;
};

const WORDS = ["$defs", "definitions"] as const;

export function gatherDefinitions(root: SchemaObject, refs: LocalRefs): Definitions {
  const names = new Map<string, { readonly name: string; readonly schema: unknown }>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  /** Reading a path takes long, and a schema may refer to one definition thousands of times. */
  const known = new Map<string, string>();

  function nameOf(path: readonly string[], schema: unknown): string {
    const key = JSON.stringify(path);
    const known = names.get(key);
    if (known) return known.name;
    const name = newName(path.at(-1) ?? "root");
    taken.add(name);
    names.set(key, { name, schema });
    return name;
  }

  /** Uses only characters that need no escaping in a reference. */
  function newName(wanted: string): string {
    const plain = wanted.replaceAll(/[^\w.-]/g, "_");
    let name = plain;
    let count = counts.get(plain) ?? 1;
    while (taken.has(name)) name = `${plain}_${++count}`;
    counts.set(plain, count);
    return name;
  }

  function newRef(ref: string): string {
    const path = pathOf(ref);
    const schema = path === null ? undefined : refs.find(path);
    return path === null || schema === undefined ? ref : `#/$defs/${nameOf(path, schema)}`;
  }

  for (const word of WORDS) {
    const written = root[word];
    if (!isObject(written)) continue;
    for (const [name, schema] of Object.entries(written)) nameOf([word, name], schema);
  }
  return {
    refFor(ref) {
      const sent = known.getOrInsertComputed(ref, newRef);
      refuseReferences(known.size);
      return sent;
    },
    *all() {
      for (const { name, schema } of names.values()) yield [name, schema];
    },
  };
}

export function isDefinitionsWord(keyword: string): boolean {
  return WORDS.some((word) => word === keyword);
}
