import type { ProviderFailure } from "../contract/index.ts";
import {
  createSseParser,
  DEFAULT_SSE_BOUNDS,
  type SseBounds,
  type SseEvent,
  SseOverflow,
  type SseParser,
} from "../kit/index.ts";
import { type Body, bodyOf } from "./body.ts";
import { oversizeFailure } from "./failures/network-failure.ts";
import type { OutboundResponse } from "./outbound-call.ts";
import { drain } from "./read-body.ts";

export type SseOptions = SseBounds & {
  /**
   * The data that ends the stream, such as `[DONE]`. Anything after it is not yielded, but read for a moment: then the
   * connection can be reused, which saves a TLS handshake.
   */
  readonly lastData?: string;
  /** Names of events that end the stream in the same way, if it has no such data. */
  readonly lastEvents?: ReadonlySet<string>;
};

type Batch = readonly SseEvent[];

/** The events of a stream, one batch per network read, never empty. Leaving the loop early closes the connection. */
export function sseEvents(
  response: OutboundResponse,
  options: SseOptions = DEFAULT_SSE_BOUNDS,
): AsyncIterableIterator<Batch, void, void> {
  return new SseReading(response, options);
}

const OVER = { done: true, value: undefined } as const;

/** Not a generator, which would cost several more microtask turns per batch. */
class SseReading implements AsyncIterableIterator<Batch, void, void> {
  readonly #response: OutboundResponse;
  readonly #body: Body;
  readonly #parser: SseParser;
  readonly #options: SseOptions;
  #isOver = false;
  /** Thrown after the events before it have been yielded. */
  #overflow: ProviderFailure | null = null;

  constructor(response: OutboundResponse, options: SseOptions) {
    this.#response = response;
    this.#body = bodyOf(response);
    this.#parser = createSseParser(options);
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Batch, void>> {
    try {
      // Each iteration reads a piece of the body, whose size is bounded, or ends.
      while (!this.#isOver) {
        if (this.#overflow !== null) throw this.#overflow;
        const piece = await this.#body.read();
        const events = this.#take(piece);
        if (events.length > 0) return { done: false, value: events };
      }
      return OVER;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Batch, void>> {
    this.#leave();
    return OVER;
  }

  #take(piece: Uint8Array | null): Batch {
    const events = this.#parse(piece);
    const last = lastOf(events, this.#options);
    if (piece === null) this.#isOver = this.#overflow === null;
    if (last < 0) return events;
    if (piece !== null) drain(this.#response);
    this.#isOver = true;
    return last === events.length - 1 ? events : events.slice(0, last + 1);
  }

  #parse(piece: Uint8Array | null): Batch {
    try {
      return piece === null ? this.#parser.end() : this.#parser.push(piece);
    } catch (error) {
      if (!(error instanceof SseOverflow)) throw error;
      this.#overflow = oversizeFailure(error.message, this.#body.where);
      return error.events;
    }
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body.cancel();
  }
}

/** Index of the event that ends the stream; -1 if it goes on. */
function lastOf(events: Batch, { lastData, lastEvents }: SseOptions): number {
  if (lastData === undefined && lastEvents === undefined) return -1;
  for (let at = 0; at < events.length; at++) {
    const event = events[at] as SseEvent;
    if (event.data === lastData || lastEvents?.has(event.event)) return at;
  }
  return -1;
}
