import { ObjectText } from "../../../kit/index.ts";
import type { ChatEvent } from "../../../providers/index.ts";

type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

type HeldItem = {
  readonly events: ChatEvent[];
  /** Of a call's arguments. */
  readonly object: ObjectText | null;
  /** A call that is whole, and something stands behind it. */
  isPassed: boolean;
};

const NONE: readonly never[] = [];

/**
 * What of an answer waits: a call for the first of its arguments, and everything for a call that is still being written.
 * By item: a call stands where its arguments begin, so that one without any is passed by words, but by no later call.
 */
export class HeldItems {
  readonly #items: HeldItem[] = [];
  /** Calls that wait, with arguments or without. */
  readonly #calls = new Map<number, HeldItem>();
  readonly #bare = new Map<number, HeldItem>();
  readonly #begun = new Map<number, CallStart>();
  readonly #endedBare = new Set<number>();
  #passed = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** A whole call waits here and the answer has gone on behind it: whoever was given nothing before it is given nothing. */
  get hasPassed(): boolean {
    return this.#passed > 0;
  }

  /** One that begins again is the same call. */
  start(event: CallStart): void {
    if (!this.#begun.has(event.call)) this.#hold(event);
  }

  /** The call was written with an empty object, since nothing was given to it. */
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
   * Those of a call that has been written are let go: it was whole. Returns the calls that have their places now: of the
   * first that say something this one, behind those that began before it.
   */
  arguments(event: CallArguments): readonly number[] {
    if (this.#endedBare.has(event.call)) this.#startAgain(event);
    const item = this.#calls.get(event.call);
    if (item === undefined || event.text === "") return NONE;
    const isBare = this.#bare.has(event.call);
    // Arguments do not begin with blanks.
    if (item.events.length === 1 && event.text.trim() === "") return NONE;
    // Just so if it had been written by now.
    if (!isBare && item !== this.#items.at(-1) && item.object?.isWhole) return NONE;
    item.events.push(event);
    item.object?.push(event.text);
    if (!isBare && item !== this.#items.at(-1)) this.#pass(item);
    return isBare ? this.#placeUpTo(event.call) : NONE;
  }

  /** Where there are arguments for it after all it is made once more: what was told stays told. */
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

  /** Words and thoughts. */
  add(event: ChatEvent): void {
    const last = this.#items.at(-1);
    if (last !== undefined && last.object === null) last.events.push(event);
    // Log probabilities are of the text before them, or of nothing that is written.
    else if (event.type !== "logprobs") this.#push({ events: [event], object: null, isPassed: false });
  }

  #push(item: HeldItem): void {
    this.goOn();
    this.#items.push(item);
  }

  /** Something comes behind what waits. */
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

  /** The calls that were given nothing: no more than that they were made. */
  takeBare(): readonly CallStart[] {
    const starts = [...this.#bare.values()].flatMap(({ events: [start] }) =>
      start?.type === "tool_start" ? [start] : [],
    );
    this.#bare.clear();
    return starts;
  }
}
