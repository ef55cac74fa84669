import type { EarlierCalls } from "../decode/earlier-calls.ts";
import type { Fields } from "../wire-fields.ts";

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
    const item = this.#item(event["item"]);
    return item === event["item"] ? event : { ...event, item };
  }

  /** A whole response. */
  response(given: unknown): unknown {
    const output = typeof given === "object" && given !== null ? (given as Fields)["output"] : undefined;
    if (!Array.isArray(output)) return given;
    const items = output.map((item) => this.#item(item));
    return items.some((item, at) => item !== output[at]) ? { ...(given as Fields), output: items } : given;
  }

  #item(item: unknown): unknown {
    if (typeof item !== "object" || item === null) return item;
    const { call_id: id, type } = item as Fields;
    if (typeof id !== "string" || id === "") return item;
    // A result may be that of an earlier call; only a new call needs an id that no other one has.
    if (!this.#given.has(id) && String(type).endsWith("_call")) this.#given.set(id, this.#earlier.freeId(id));
    const free = this.#given.get(id) ?? id;
    return free === id ? item : { ...item, call_id: free };
  }
}
