import type { Steps } from "../../kit/index.ts";

const OBJECTS_PER_STEP = 10_000;

/** Counts the keys of all objects in parsed JSON. */
export function* keySteps(value: unknown): Steps<number> {
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
      // Objects from JSON.parse have own keys only, `__proto__` included.
      for (const key in members) {
        keys++;
        waiting.push(members[key]);
      }
    }
  }
  return keys;
}
