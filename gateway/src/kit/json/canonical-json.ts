import { isObject } from "./is-object.ts";

/** Keys are sorted at every depth: equal values give equal bytes, in whatever order they were written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
