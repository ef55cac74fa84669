import type { ChatEvent } from "../../../providers/index.ts";

/** What an answer said while a call before it was still being written: by item, in the order in which they began. */
export class HeldItems {
  readonly #items: ChatEvent[][] = [];
  readonly #calls = new Map<number, ChatEvent[]>();
  /** Those before it were taken. */
  #next = 0;

  get isEmpty(): boolean {
    return this.#next === this.#items.length;
  }

  add(event: ChatEvent): void {
    if (event.type === "tool_arguments") {
      // Of a call that is ended already nothing more can be said.
      this.#calls.get(event.call)?.push(event);
      return;
    }
    const last = this.isEmpty ? undefined : this.#items.at(-1);
    if (event.type !== "tool_start" && last !== undefined && last[0]?.type !== "tool_start") {
      last.push(event);
      return;
    }
    const item = [event];
    this.#items.push(item);
    if (event.type === "tool_start") this.#calls.set(event.call, item);
  }

  /** All that is held of the item that began first: of one call, or of what was said and thought between two. */
  take(): readonly ChatEvent[] {
    const item = this.#items[this.#next] ?? [];
    this.#items[this.#next] = [];
    this.#next += 1;
    const [first] = item;
    if (first?.type === "tool_start") this.#calls.delete(first.call);
    return item;
  }
}
