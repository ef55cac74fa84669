import { assert } from "./assert.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUIDv7: sorts by time of creation, which is what request rows are partitioned and listed by. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

/** Lower-cases and checks; undefined when the text is no UUID of any version. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== 36) return undefined;
  const lower = text.toLowerCase();
  return UUID.test(lower) ? lower : undefined;
}

/** The smallest UUIDv7 of a moment: turns "since then" into a range of ids. */
export function lowestIdAt(ms: number): string {
  assert(Number.isInteger(ms) && ms >= 0 && ms < 2 ** 48, `not a time that an id can hold: ${ms}`);
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
