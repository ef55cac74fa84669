import { isObject } from "./is-object.ts";

/** Names sorted at every depth: the same value gives the same bytes in whatever order it was written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
