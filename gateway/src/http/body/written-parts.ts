import type { WrittenParts } from "../../contract/index.ts";
import { isObject } from "../../kit/index.ts";

/** Keyed by the body, like the numbers that are kept with their digits. */
const kept = new WeakMap<object, WrittenParts>();

/** `places` has the start and end of each object and list within a list of the body, in the order of its fields. */
export function keepWrittenParts(body: unknown, bytes: Uint8Array, places: readonly number[]): void {
  if (!isObject(body)) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  kept.set(body, new Parts(body, buffer, places));
}

export function writtenPartsIn(body: object): WrittenParts | undefined {
  return kept.get(body);
}

class Parts implements WrittenParts {
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #places: readonly number[];
  /** Made when it is first asked for: many calls are never sent to a server of their own wire. */
  #index: ReadonlyMap<unknown, number> | null = null;

  constructor(
    body: Readonly<Record<string, unknown>>,
    readonly bytes: Buffer,
    places: readonly number[],
  ) {
    this.#body = body;
    this.#places = places;
  }

  placeOf(part: unknown): { start: number; end: number } | undefined {
    this.#index ??= indexOf(this.#body);
    const at = this.#index.get(part);
    const start = at === undefined ? undefined : this.#places[2 * at];
    const end = at === undefined ? undefined : this.#places[2 * at + 1];
    return start === undefined || end === undefined ? undefined : { start, end };
  }
}

function indexOf(body: Readonly<Record<string, unknown>>): ReadonlyMap<unknown, number> {
  const index = new Map<unknown, number>();
  for (const name in body) {
    const list = body[name];
    if (!Array.isArray(list)) continue;
    for (const part of list) if (typeof part === "object" && part !== null) index.set(part, index.size);
  }
  return index;
}
