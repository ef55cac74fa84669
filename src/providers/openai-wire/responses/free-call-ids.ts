import type { EarlierCalls } from "../decode/earlier-calls.ts";
import { type Fields, isFields, withField } from "../wire-fields.ts";

/** The items of a response, whose calls have no id of an earlier one; the very item wherever it stays as it is. */
export class FreeCallIds {
  readonly #earlier: EarlierCalls;
  /** By the server's own: a stream tells of each call several times. */
  readonly #given = new Map<string, string>();

  constructor(earlier: EarlierCalls) {
    this.#earlier = earlier;
  }

  /** An event that has an item. */
  event(event: Fields): Fields {
    return withField(event, "item", this.item(event["item"]));
  }

  item(item: unknown): unknown {
    if (!isFields(item)) return item;
    const { call_id: id, type } = item;
    if (typeof id !== "string" || id === "") return item;
    // A result may be that of an earlier call; only a new call needs an id that no other one has.
    if (!this.#given.has(id) && String(type).endsWith("_call")) this.#given.set(id, this.#earlier.freeId(id));
    return withField(item, "call_id", this.#given.get(id) ?? id);
  }
}
