import { type Fields, isFields, withField } from "../../../wires/index.ts";
import type { EarlierCalls } from "../decode/earlier-calls.ts";

/** Gives the calls of a response ids that no earlier call has; the same item if nothing changes. */
export class FreeCallIds {
  readonly #earlier: EarlierCalls;
  /** By the server's id: a stream mentions each call several times. */
  readonly #given = new Map<string, string>();

  constructor(earlier: EarlierCalls) {
    this.#earlier = earlier;
  }

  /** For an event that contains an item. */
  event(event: Fields): Fields {
    return withField(event, "item", this.item(event["item"]));
  }

  item(item: unknown): unknown {
    if (!isFields(item)) return item;
    const { call_id: id, type } = item;
    if (typeof id !== "string" || id === "") return item;
    // A result may belong to an earlier call; only a new call needs an unused id.
    if (!this.#given.has(id) && String(type).endsWith("_call")) this.#given.set(id, this.#earlier.freeId(id));
    return withField(item, "call_id", this.#given.get(id) ?? id);
  }
}
