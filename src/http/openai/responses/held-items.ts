import { ObjectText } from "../../../kit/index.ts";
import type { ChatEvent } from "../../../providers/index.ts";

type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

type HeldItem = {
  readonly events: ChatEvent[];
  /** Of a call's arguments. */
  readonly object: ObjectText | null;
};

/**
 * What of an answer waits: a call for the first of its arguments, and everything for a call that is still being written.
 * By item: a call stands where its arguments begin, so that one without any is passed by all others.
 */
export class HeldItems {
  readonly #items: HeldItem[] = [];
  /** Calls that wait, with arguments or without. */
  readonly #calls = new Map<number, HeldItem>();
  readonly #bare = new Map<number, HeldItem>();
  readonly #begun = new Set<number>();

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** One that begins again is the same call. */
  start(event: CallStart): void {
    if (this.#begun.has(event.call)) return;
    this.#begun.add(event.call);
    const item = { events: [event], object: new ObjectText() };
    this.#calls.set(event.call, item);
    this.#bare.set(event.call, item);
  }

  /** Those of a call that has been written are let go: it was whole. True for the first that say something. */
  arguments(event: CallArguments): boolean {
    const item = this.#calls.get(event.call);
    if (item === undefined || event.text === "") return false;
    const isBare = this.#bare.has(event.call);
    // Just so if it had been written by now.
    if (!isBare && item !== this.#items.at(-1) && item.object?.isWhole) return false;
    item.events.push(event);
    item.object?.push(event.text);
    if (!isBare || event.text.trim() === "") return false;
    this.#bare.delete(event.call);
    this.#items.push(item);
    return true;
  }

  /** Words and thoughts. */
  add(event: ChatEvent): void {
    const last = this.#items.at(-1);
    if (last !== undefined && last.object === null) last.events.push(event);
    // Log probabilities are of the text before them, or of nothing that is written.
    else if (event.type !== "logprobs") this.#items.push({ events: [event], object: null });
  }

  take(): readonly ChatEvent[] | null {
    const item = this.#items.shift();
    if (item === undefined) return null;
    const [first] = item.events;
    if (first?.type === "tool_start") this.#calls.delete(first.call);
    return item.events;
  }

  /** The calls that were given nothing: no more than that they were made. */
  takeBare(): readonly CallStart[] {
    const starts = [...this.#bare.values()].flatMap(({ events: [start] }) =>
      start?.type === "tool_start" ? [start] : [],
    );
    this.#bare.clear();
    return starts;
  }
}
