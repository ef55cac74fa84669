import { OWN_FIELDS } from "../../../kit/index.ts";
import type { Fields } from "../../../wires/index.ts";

/** Fields of a chunk or a reply that we set, or that are handled elsewhere. */
const OF_CHUNK: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "x_groq",
  "error",
  ...OWN_FIELDS,
]);
const OF_CHOICE: ReadonlySet<string> = new Set([
  "index",
  "delta",
  "message",
  "logprobs",
  "finish_reason",
  "usage",
  "error",
]);

/**
 * Of an object's fields that we do not know; servers have a handful. Each costs a microsecond in every pass over it,
 * and one event may have hundreds of thousands.
 */
export const MOST_EXTRAS = 1_000;

/** Adds the fields that we do not know: a fingerprint, citations, whatever servers come up with next. */
export function addChunkExtras(chunk: Fields, target: Record<string, unknown>): void {
  addExtras(chunk, OF_CHUNK, target);
}

/** The fields of a chunk without choices, except for single values that were sent before, such as the fingerprint. */
export function extrasBeside(chunk: Fields, before: Fields): Fields {
  const all: Record<string, unknown> = {};
  addChunkExtras(chunk, all);
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name, value]) => !isEmpty(value) && (typeof value === "object" || !Object.hasOwn(before, name)),
    ),
  );
}

/** The same for a choice; true if any of them has content. */
export function addChoiceExtras(choice: Fields, target: Record<string, unknown>): boolean {
  return addExtras(choice, OF_CHOICE, target);
}

function addExtras(from: Fields, known: ReadonlySet<string>, target: Record<string, unknown>): boolean {
  let hasAny = false;
  let room = MOST_EXTRAS;
  for (const name in from) {
    if (room === 0) break;
    if (known.has(name)) continue;
    const value = from[name];
    if (value === null || value === undefined) continue;
    room--;
    target[name] = value;
    hasAny ||= !isEmpty(value);
  }
  return hasAny;
}

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}
