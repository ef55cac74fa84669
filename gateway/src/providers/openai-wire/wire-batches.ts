import type { CallContext, ChatEvent } from "../../contract/index.ts";
import type { SseEvent } from "../../kit/index.ts";
import {
  beginsAsEvents,
  type ErrorHabits,
  expectEnd,
  failureOfResponse,
  type OutboundResponse,
  readAnswer,
  sseEvents,
} from "../../outbound/index.ts";
import { decodeReply } from "./decode/decode-reply.ts";
import type { StreamDecoder } from "./decode/decode-stream.ts";
import { MAX_REPLY_BYTES, type Reading } from "./reading.ts";

/** A call that was sent, and how its answer is read. */
type SentExchange = {
  readonly answered: Promise<OutboundResponse>;
  readonly reading: Reading;
  readonly habits?: ErrorHabits;
  readonly onAnswered?: CallContext["onAnswered"] | undefined;
};

type Batch = readonly ChatEvent[];
const OVER = { done: true, value: undefined } as const;

/**
 * An answer, batch by batch: what one network read brings is passed on at once. It is not a generator, which would cost
 * each batch several more turns of the microtask queue.
 */
export class WireBatches implements AsyncIterableIterator<Batch, void, void> {
  readonly #send: () => SentExchange;
  #stream: Stream | null = null;
  #isOver = false;
  /** The end is expected. The wait for it restarts after each batch, since some servers announce it and continue. */
  isEnding = false;
  /** Thrown after everything before it has been returned. */
  #failure: { readonly error: unknown } | null = null;

  /** `send` is called by the first `next`. */
  constructor(send: () => SentExchange) {
    this.#send = send;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Batch, void>> {
    if (this.#failure !== null) {
      const { error } = this.#failure;
      this.#failure = null;
      return Promise.reject(error);
    }
    if (this.#isOver) return Promise.resolve(OVER);
    return this.#stream === null ? this.#begin() : this.#goOn(this.#stream);
  }

  async return(): Promise<IteratorResult<Batch, void>> {
    this.#failure = null;
    this.#leave();
    return OVER;
  }

  async #begin(): Promise<IteratorResult<Batch, void>> {
    try {
      const { reading, answered, habits, onAnswered } = this.#send();
      const response = await answered;
      if (!response.ok) throw await failureOfResponse(response, habits);
      onAnswered?.();
      // Some servers send a stream with another content type, or none.
      if (isStream(response) || (await beginsAsEvents(response))) {
        const events = sseEvents(response, reading.bounds);
        this.#stream = { response, events, decoder: reading.stream() };
        return this.#goOn(this.#stream);
      }
      const value = decodeReply(await readAnswer(response, MAX_REPLY_BYTES), reading, response);
      this.#isOver = true;
      return { done: false, value };
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  async #goOn({ response, events, decoder }: Stream): Promise<IteratorResult<Batch, void>> {
    let batch: ChatEvent[] | null = null;
    try {
      for (;;) {
        const { done, value } = await events.next();
        batch = done ? decoder.end() : decoder.push(value);
        if (decoder.isDone && !done) batch.push(...decoder.end());
        if (done || decoder.isDone) this.#leave();
        else if (decoder.hasEnded && (batch.length > 0 || !this.isEnding)) {
          this.isEnding = true;
          expectEnd(response);
        }
        if (batch.length > 0 || this.#isOver) return { done: false, value: batch };
      }
    } catch (error) {
      this.#leave();
      if (batch === null || batch.length === 0) throw error;
      this.#failure = { error };
      return { done: false, value: batch };
    }
  }

  #leave(): void {
    this.#isOver = true;
    void this.#stream?.events.return?.();
  }
}

type Stream = {
  readonly response: OutboundResponse;
  readonly events: AsyncIterableIterator<readonly SseEvent[], void, void>;
  readonly decoder: StreamDecoder;
};

/** Whether the content type says event stream. */
export function isStream({ headers }: OutboundResponse): boolean {
  return /event-stream/i.test(headers.get("content-type") ?? "");
}
