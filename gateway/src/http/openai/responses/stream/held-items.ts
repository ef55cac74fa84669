import type { ChatEvent } from "../../../../contract/index.ts";
import { ObjectText } from "../../../../kit/index.ts";

type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

const NONE: readonly never[] = [];

/**
 * The items of an answer that are held back: a call until its first arguments, and everything while another call is
 * being written. A call takes its place when its arguments begin: text may overtake a call that has none yet, but a
 * later call may not.
 */
export class HeldItems {
  readonly #items: ChatEvent[][] = [];
  /** All calls that are held, with or without arguments. */
  readonly #calls = new Map<number, { readonly item: ChatEvent[]; readonly object: ObjectText }>();
  readonly #bare = new Map<number, ChatEvent[]>();
  readonly #begun = new Set<number>();

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** A second start of the same call is ignored. */
  start(event: CallStart): void {
    if (this.#begun.has(event.call)) return;
    this.#begun.add(event.call);
    const item = [event];
    this.#calls.set(event.call, { item, object: new ObjectText() });
    this.#bare.set(event.call, item);
  }

  /**
   * Ignores arguments of a call that was complete when something followed it, whether it has been written or not.
   * Returns the calls that now take their place: with its first arguments this call does, after calls that began before
   * it and have none.
   */
  arguments(event: CallArguments): readonly number[] {
    const { call, text } = event;
    const held = this.#calls.get(call);
    if (held === undefined || text === "") return NONE;
    const { item, object } = held;
    // White space before the arguments is dropped.
    if (item.length === 1 && text.trim() === "") return NONE;
    if (object.isWhole && item !== this.#items.at(-1)) return NONE;
    item.push(event);
    object.push(text);
    return this.#bare.has(call) ? this.placeBare(call) : NONE;
  }

  /** At the end of the answer, without `last`: all calls that got no arguments take their place. */
  placeBare(last?: number): readonly number[] {
    const placed: number[] = [];
    for (const [call, item] of this.#bare) {
      this.#bare.delete(call);
      this.#items.push(item);
      placed.push(call);
      if (call === last) break;
    }
    return placed;
  }

  /** Holds anything but a call. */
  add(event: ChatEvent): void {
    const last = this.#items.at(-1);
    if (last !== undefined && last[0]?.type !== "tool_start") last.push(event);
    // Log probabilities belong to the text before them. Without one, they are dropped.
    else if (event.type !== "logprobs") this.#items.push([event]);
  }

  take(): readonly ChatEvent[] | null {
    const item = this.#items.shift() ?? null;
    const first = item?.[0];
    if (first?.type === "tool_start") this.#calls.delete(first.call);
    return item;
  }
}
