import type { ChatEvent } from "../../../providers/index.ts";

/**
 * What of an answer waits: a call for the first of its arguments, and everything for a call that is still being written.
 * By item, in the order in which they began.
 */
export class HeldItems {
  readonly #items = new Set<ChatEvent[]>();
  readonly #calls = new Map<number, ChatEvent[]>();
  #last: ChatEvent[] = [];

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** False for arguments of a call that does not wait here. */
  add(event: ChatEvent): boolean {
    if (event.type === "tool_arguments") {
      const call = this.#calls.get(event.call);
      if (event.text !== "") call?.push(event);
      return call !== undefined;
    }
    if (event.type !== "tool_start" && !isCall(this.#last) && this.#items.has(this.#last)) {
      this.#last.push(event);
      return true;
    }
    this.#last = [event];
    this.#items.add(this.#last);
    if (event.type === "tool_start") this.#calls.set(event.call, this.#last);
    return true;
  }

  /**
   * The next item that can be written. Words and thoughts pass a call that has no arguments yet, since those may still
   * come; a call that has some does not: those before it are whole.
   */
  takeReady(): readonly ChatEvent[] | null {
    for (const item of this.#items) {
      if (!isCall(item)) return this.#take(item);
      if (hasArguments(item)) return this.takeFirst();
    }
    return null;
  }

  takeFirst(): readonly ChatEvent[] | null {
    for (const item of this.#items) return this.#take(item);
    return null;
  }

  #take(item: ChatEvent[]): readonly ChatEvent[] {
    this.#items.delete(item);
    const [first] = item;
    if (first?.type === "tool_start") this.#calls.delete(first.call);
    return item;
  }
}

/** Blank ones are none yet. */
export function hasArguments(item: readonly ChatEvent[]): boolean {
  return item.some((event) => event.type === "tool_arguments" && event.text.trim() !== "");
}

function isCall([first]: readonly ChatEvent[]): boolean {
  return first?.type === "tool_start";
}
