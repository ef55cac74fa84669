import type { Steps } from "../../kit/index.ts";

/** From so many on, keys are counted in steps. */
const MANY_KEYS = 20_000;
const OBJECTS_PER_STEP = 10_000;

/** Counts the keys of all objects in parsed JSON, which are about `expected`. */
export function* keySteps(value: unknown, expected: number): Steps<number> {
  return expected < MANY_KEYS ? countKeys(value) : yield* manyKeySteps(value);
}

/** The recursion is bounded by the nesting depth that was already checked. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === "object" && item !== null) keys += countKeys(item);
    }
    return keys;
  }
  const members = value as Record<string, unknown>;
  // Objects from JSON.parse have own keys only, `__proto__` included.
  for (const key in members) {
    keys++;
    const item = members[key];
    if (typeof item === "object" && item !== null) keys += countKeys(item);
  }
  return keys;
}

function* manyKeySteps(value: unknown): Steps<number> {
  const waiting: unknown[] = [value];
  let keys = 0;
  let seen = 0;
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== "object" || one === null) continue;
    // Objects with different keys take longest: the engine notes the keys of each.
    if (++seen % OBJECTS_PER_STEP === 0) yield;
    if (Array.isArray(one)) for (let i = 0; i < one.length; i++) waiting.push(one[i]);
    else {
      const members = one as Record<string, unknown>;
      for (const key in members) {
        keys++;
        waiting.push(members[key]);
      }
    }
  }
  return keys;
}
