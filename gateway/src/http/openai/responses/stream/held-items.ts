import type { ChatEvent } from "../../../../contract/index.ts";
import { ObjectText } from "../../../../kit/index.ts";

type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

type HeldItem = {
  readonly events: ChatEvent[];
  /** Tracks the arguments of a call; null for anything else. */
  readonly object: ObjectText | null;
  /** True for a complete call that something follows. */
  isPassed: boolean;
};

const NONE: readonly never[] = [];

/**
 * The items of an answer that are held back: a call until its first arguments, and everything while another call is
 * being written. A call takes its place when its arguments begin: text may overtake a call that has none yet, but a
 * later call may not.
 */
export class HeldItems {
  readonly #items: HeldItem[] = [];
  /** All calls that are held, with or without arguments. */
  readonly #calls = new Map<number, HeldItem>();
  readonly #bare = new Map<number, HeldItem>();
  readonly #begun = new Map<number, CallStart>();
  readonly #endedBare = new Set<number>();
  #passed = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** True if a complete call is held and the answer has gone on after it: earlier calls without arguments get none. */
  get hasPassed(): boolean {
    return this.#passed > 0;
  }

  /** A second start of the same call is ignored. */
  start(event: CallStart): void {
    if (!this.#begun.has(event.call)) this.#hold(event);
  }

  /** Notes that the call was written with an empty object, since it had no arguments. */
  endedBare(call: number): void {
    this.#endedBare.add(call);
  }

  #hold(event: CallStart): void {
    this.#begun.set(event.call, event);
    const item = { events: [event], object: new ObjectText(), isPassed: false };
    this.#calls.set(event.call, item);
    this.#bare.set(event.call, item);
  }

  /**
   * Ignores arguments of a call that has been written, since it was complete. Returns the calls that now take their
   * place: with its first arguments this call does, after calls that began before it and have none.
   */
  arguments(event: CallArguments): readonly number[] {
    if (this.#endedBare.has(event.call)) this.#startAgain(event);
    const item = this.#calls.get(event.call);
    if (item === undefined || event.text === "") return NONE;
    const isBare = this.#bare.has(event.call);
    // White space before the arguments is dropped.
    if (item.events.length === 1 && event.text.trim() === "") return NONE;
    // Ignored, as if the call had been written by now.
    if (!isBare && item !== this.#items.at(-1) && item.object?.isWhole) return NONE;
    item.events.push(event);
    item.object?.push(event.text);
    if (!isBare && item !== this.#items.at(-1)) this.#pass(item);
    return isBare ? this.#placeUpTo(event.call) : NONE;
  }

  /** Starts the call again if arguments come for it after all: what was sent cannot be taken back. */
  #startAgain({ call, text }: CallArguments): void {
    const said = text.trim();
    const start = this.#begun.get(call);
    if (said === "" || said === "{}" || start === undefined) return;
    this.#endedBare.delete(call);
    this.#hold({ ...start, id: `${start.id}_again` });
  }

  #placeUpTo(last: number): readonly number[] {
    const placed: number[] = [];
    for (const [call, item] of this.#bare) {
      this.#bare.delete(call);
      this.#push(item);
      placed.push(call);
      if (call === last) break;
    }
    return placed;
  }

  /** Holds anything but a call. */
  add(event: ChatEvent): void {
    const last = this.#items.at(-1);
    if (last !== undefined && last.object === null) last.events.push(event);
    // Log probabilities belong to the text before them. Without one, they are dropped.
    else if (event.type !== "logprobs") this.#push({ events: [event], object: null, isPassed: false });
  }

  #push(item: HeldItem): void {
    this.goOn();
    this.#items.push(item);
  }

  /** To be called when something follows the held items. */
  goOn(): void {
    const last = this.#items.at(-1);
    if (last !== undefined) this.#pass(last);
  }

  #pass(item: HeldItem): void {
    if (item.isPassed || !item.object?.isWhole) return;
    item.isPassed = true;
    this.#passed++;
  }

  take(): readonly ChatEvent[] | null {
    const item = this.#items.shift();
    if (item === undefined) return null;
    if (item.isPassed) this.#passed--;
    const [first] = item.events;
    if (first?.type === "tool_start") this.#calls.delete(first.call);
    return item.events;
  }

  /** Takes the calls that got no arguments at all. */
  takeBare(): readonly CallStart[] {
    const starts = [...this.#bare.values()].flatMap(({ events: [start] }) =>
      start?.type === "tool_start" ? [start] : [],
    );
    this.#bare.clear();
    return starts;
  }
}
