import type { Random } from "../../simulation/random.ts";
import { HOSTILE_LITERALS, HOSTILE_NUMBERS, HOSTILE_TEXTS } from "./hostile-values.ts";
import { mutateBytes } from "./mutate-bytes.ts";

/** Marks a placeholder in a value, for a literal that exists only as JSON text (see `HOSTILE_LITERALS`). */
const MARK = "\u0001literal:";

/**
 * JSON that differs from a valid document in a few places: a field of another type, missing, repeated or with the value
 * of another. Sometimes its text is spoiled as well.
 */
export function mutateJson(random: Random, valid: unknown): Buffer {
  let value = structuredClone(valid);
  for (let changes = random.between(1, 3); changes > 0; changes--) value = changeSomewhere(random, value, 0);
  const text = JSON.stringify(value ?? null).replaceAll(
    /"\\u0001literal:(\d+)"/g,
    (_, place) => HOSTILE_LITERALS[Number(place)] ?? "null",
  );
  const bytes = Buffer.from(text);
  return random.chance(0.1) ? mutateBytes(random, bytes) : bytes;
}

function changeSomewhere(random: Random, value: unknown, depth: number): unknown {
  const isHere = typeof value !== "object" || value === null || random.chance(depth === 0 ? 0.05 : 0.25);
  if (isHere) return hostileValue(random, value, depth);
  if (Array.isArray(value)) return changeList(random, value, depth);
  return changeObject(random, { ...value }, depth);
}

function changeList(random: Random, list: unknown[], depth: number): unknown[] {
  const at = random.between(0, Math.max(0, list.length - 1));
  const changed = [...list];
  switch (random.between(0, 4)) {
    case 0:
      return changed.toSpliced(at, 1);
    case 1:
      return [...changed, ...Array<unknown>(random.pick([1, 3, 200])).fill(changed[at])];
    case 2:
      return [...changed, hostileValue(random, null, depth + 1)];
    default:
      changed[at] = changeSomewhere(random, changed[at], depth + 1);
      return changed;
  }
}

function changeObject(random: Random, object: Record<string, unknown>, depth: number): unknown {
  const names = Object.keys(object);
  const name = names.length === 0 ? "x" : random.pick(names);
  switch (random.between(0, 7)) {
    case 0:
      delete object[name];
      return object;
    case 1:
      return { ...object, [random.pick(HOSTILE_TEXTS)]: hostileValue(random, null, depth + 1) };
    case 2:
      return { ...object, [name]: object[random.pick([...names, name])] };
    default:
      return { ...object, [name]: changeSomewhere(random, object[name], depth + 1) };
  }
}

function hostileValue(random: Random, old: unknown, depth: number): unknown {
  switch (random.between(0, 7)) {
    case 0:
      return random.pick(HOSTILE_NUMBERS);
    case 1:
      return `${MARK}${random.between(0, HOSTILE_LITERALS.length - 1)}`;
    case 2:
      return random.pick([null, true, false, [], {}, [[]], [null], { type: "x" }, { type: null }]);
    case 3:
      return [old, old];
    case 4:
      return depth < 4 ? { value: old, type: old, text: old } : null;
    case 5:
      return typeof old === "string" ? old + random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE_TEXTS);
    default:
      return random.pick(HOSTILE_TEXTS);
  }
}
