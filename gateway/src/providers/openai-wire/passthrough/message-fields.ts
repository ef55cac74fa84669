import type { Fields } from "../../../wires/index.ts";

/** Clients echo our replies, in which such fields are empty; not every server knows them. */
export function isVoid(name: string, value: unknown): boolean {
  return name !== "content" && (value === null || (Array.isArray(value) && value.length === 0));
}

/** The same object if nothing is removed. */
export function withoutFields(given: Fields, goes: (name: string, value: unknown) => boolean): Fields {
  let hasAny = false;
  for (const name in given) hasAny ||= goes(name, given[name]);
  if (!hasAny) return given;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !goes(name, value)));
}
