import { type Fields, isFields, withField } from "../../../wires/index.ts";
import type { ItemPlaces, PlacedItem } from "./item-places.ts";

/**
 * The items of a whole response as they were streamed: with the same ids, in the same order, and with those that it
 * left out. Items that were not streamed come after them.
 */
export function emittedOutput(
  output: readonly unknown[],
  places: ItemPlaces,
  ended: ReadonlyMap<PlacedItem, unknown>,
): { readonly items: readonly unknown[]; readonly of: ReadonlyMap<PlacedItem, unknown> } {
  const of = new Map<PlacedItem, unknown>(ended);
  const left = new Set(places.items);
  const rest = new Set(output);
  function match(keysOf: (placed: PlacedItem) => Iterable<string>, keyOf: (item: Fields) => string): void {
    const queues = queuesOf(left, keysOf);
    for (const item of rest) {
      const queue = isFields(item) ? queues.get(keyOf(item)) : undefined;
      while (queue?.length && !left.has(queue.at(-1) as PlacedItem)) queue.pop();
      const placed = queue?.pop();
      if (placed === undefined) continue;
      left.delete(placed);
      rest.delete(item);
      of.set(placed, called(item, placed.id));
    }
  }
  // Some have another id there, and some share one: then the first that is left of the same type and call.
  const kindOf = ({ type, call_id: callId = "" }: Fields) => `${type} ${callId}`;
  const kindAsEmitted = ({ type, callId }: PlacedItem) => `${type} ${callId}`;
  match(
    (placed) => placed.names.map((name) => `${kindAsEmitted(placed)} ${name}`),
    (item) => `${kindOf(item)} ${item["id"]}`,
  );
  match(
    ({ names }) => names,
    ({ id }) => String(id),
  );
  match((placed) => [kindAsEmitted(placed)], kindOf);
  const emitted = places.items.flatMap((placed) => (of.has(placed) ? [of.get(placed)] : []));
  const others = [...rest].map((item) => (isFields(item) ? called(item, places.nameFor(item)) : item));
  return { items: [...emitted, ...others], of };
}

/** The same item if it already has this id. */
export function called(item: unknown, id: string): unknown {
  return isFields(item) ? withField(item, "id", id) : item;
}

function queuesOf(
  placed: Iterable<PlacedItem>,
  keysOf: (placed: PlacedItem) => Iterable<string>,
): Map<string, PlacedItem[]> {
  const queues = new Map<string, PlacedItem[]>();
  for (const each of [...placed].reverse()) {
    for (const key of keysOf(each)) {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [each]);
      else queue.push(each);
    }
  }
  return queues;
}
