import { isObject } from "../kit/index.ts";

/** Names on the REST interface and in the JSON of the command line are snake_case; ours are camelCase. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The same value with every name of a field renamed, however deep; values are at most as deep as our own schemas. */
export function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [rename(name), renamed(part, rename)]),
  );
}
