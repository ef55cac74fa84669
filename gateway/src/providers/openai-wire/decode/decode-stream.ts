import type { ChatEvent, ProviderFailure } from "../../../contract/index.ts";
import { createWholePieces, type SseEvent } from "../../../kit/index.ts";
import { isFields } from "../../../wires/index.ts";
import { wireFailure } from "../wire-failure.ts";
import {
  type CreateAnswer,
  createChunkDecoder,
  MOST_CHAT_KEYS,
  parseAnswer,
  type ReadingContext,
} from "./decode-chunk.ts";
import { createPlainChunks } from "./plain-chunk.ts";
import { isOfCall, type PlainEvent, plainEventOf, textIn, withText } from "./plain-event.ts";

export type StreamDecoder = {
  /** True after `[DONE]` or a failure: anything later is ignored. */
  readonly isDone: boolean;
  /** Every requested answer has ended: at most data beside the answers, such as usage, is still to come. */
  readonly hasEnded: boolean;
  /**
   * Decodes the events that arrived together; the result may be empty. Never throws: what came before a failure is
   * delivered, whether or not one network read brought both.
   */
  push(events: readonly SseEvent[]): ChatEvent[];
  /** `finish`, and whatever must precede it; throws the failure that was found, or if the answer broke off. */
  end(): ChatEvent[];
};

export function createStreamDecoder(context: ReadingContext, createAnswer?: CreateAnswer): StreamDecoder {
  const chunks = createChunkDecoder({ ...context, whole: false }, createAnswer);
  const plain = createPlainChunks();
  const whole = createWholePieces();
  let plainEvent: PlainEvent | null = null;
  let isDone = false;
  let failure: { readonly error: unknown } | null = null;

  function push(data: string, out: ChatEvent[]): void {
    const text = plain.wordsOf(data);
    if (text !== null && plainEvent !== null) {
      out.push(withText(plainEvent, text, plain));
      if (isOfCall(plainEvent) && chunks.noteArguments(text)) {
        plainEvent = null;
        plain.forget();
      }
      return;
    }
    const chunk = parseAnswer(data, "a chunk", MOST_CHAT_KEYS);
    const before = out.length;
    chunks.push(chunk, out);
    learn(data, chunk, out.length > before ? textIn(out.at(-1)) : "");
  }

  function learn(data: string, chunk: unknown, emitted: string): void {
    // The decoder must see the first text of each kind (see SentInDeltas). Blanks do not count as text, so the fast
    // path must not start with them.
    const probe = emitted.trim() === "" ? null : plain.learn(data, chunk, emitted);
    // Blanks after a usage report do not outdate it, but text after them does, so it must be parsed.
    if (chunks.isCounted) plainEvent = null;
    else if (probe !== null) {
      const events: ChatEvent[] = [];
      chunks.probe(probe, events);
      plainEvent = plainEventOf(events);
    } else if (plainEvent !== null && isOfCall(plainEvent)) plainEvent = null;
    if (plainEvent === null) plain.forget();
  }

  /** An event named `error` is an error, whatever its data looks like. */
  function failureIn(data: string): ProviderFailure {
    const chunk = parseAnswer(data, "a chunk");
    const isWrapped = isFields(chunk) && "error" in chunk;
    return wireFailure(isWrapped ? chunk["error"] : chunk, context.secrets);
  }

  function pushAll(events: readonly SseEvent[]): ChatEvent[] {
    const out: ChatEvent[] = [];
    let goodEvents = 0;
    try {
      for (const { event, data } of events) {
        if (isDone) break;
        if (event === "error") throw failureIn(data);
        if (data.startsWith("[DONE]")) isDone = true;
        else if (data !== "") push(data, out);
        goodEvents = out.length;
      }
    } catch (error) {
      // Drop the events of a chunk that failed halfway.
      out.length = goodEvents;
      failure = { error };
      isDone = true;
    }
    return out;
  }

  return {
    get isDone() {
      return isDone;
    },
    get hasEnded() {
      return chunks.hasEnded;
    },
    push: (events) => pushAll(whole.push(events)),
    end() {
      const out = pushAll(whole.end());
      if (failure !== null) throw failure.error;
      chunks.end(out, isDone);
      return out;
    },
  };
}
