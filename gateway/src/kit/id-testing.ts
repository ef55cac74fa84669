import { assert } from "./assert.ts";

/** Below every id that `newId` makes at that moment and above all earlier ones: for test rows of another day. */
export function lowestIdAt(ms: number): string {
  assert(Number.isInteger(ms) && ms >= 0 && ms < 2 ** 48, `not a time that an id can hold: ${ms}`);
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
