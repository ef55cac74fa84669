import type { ChatEvent } from "../../contract/index.ts";
import type { SseOptions } from "../../outbound/index.ts";
import { type CreateAnswer, decodeWhole, type ReadingContext } from "./decode/decode-chunk.ts";
import { decodePlainReply } from "./decode/decode-plain-reply.ts";
import { createStreamDecoder, type StreamDecoder } from "./decode/decode-stream.ts";
import { MOST_CHAT_KEYS } from "./decode/exact-arguments.ts";
import { decodeWholeReply } from "./passthrough/whole-reply.ts";
import { createWireAnswer } from "./passthrough/wire-answer.ts";
import type { WireForm } from "./passthrough/wire-form.ts";

/** How an answer is read, both streamed and whole, since servers do not always answer in the requested way. */
export type Reading = {
  readonly bounds: SseOptions;
  /** Of a reply in one piece. */
  readonly mostKeys: number;
  stream(): StreamDecoder;
  /** Reads a parsed reply in one piece. */
  whole(reply: Readonly<Record<string, unknown>>): ChatEvent[];
};

/** A reply that is not a stream is held in memory; no model's answer comes near this size. */
export const MAX_REPLY_BYTES = 32 << 20;

/** A generated image arrives as one chunk; a longer one would block the event loop for too long. */
const MAX_CHUNK_LENGTH = 16 << 20;
const BOUNDS: SseOptions = {
  maxLineLength: MAX_CHUNK_LENGTH,
  maxEventLength: MAX_CHUNK_LENGTH,
  lastData: "[DONE]",
};

/** Emits neutral events. */
export function neutralReading(context: ReadingContext): Reading {
  return new NeutralReading(context);
}

class NeutralReading implements Reading {
  readonly bounds = BOUNDS;
  readonly mostKeys = MOST_CHAT_KEYS;

  constructor(readonly context: ReadingContext) {}

  stream(): StreamDecoder {
    return createStreamDecoder(this.context);
  }

  whole(reply: Readonly<Record<string, unknown>>): ChatEvent[] {
    return decodePlainReply(reply, this.context) ?? decodeWhole(reply, this.context);
  }
}

/** Emits repaired chunks of the caller's wire. */
export function wireReading(context: ReadingContext, form: WireForm): Reading {
  const createAnswer = createsWireAnswer(context, form);
  return {
    bounds: BOUNDS,
    mostKeys: MOST_CHAT_KEYS,
    stream: () => createStreamDecoder(context, createAnswer),
    whole: (reply) => decodeWhole(reply, context, createAnswer),
  };
}

/** Emits the whole repaired reply of the caller's wire; if a server streams anyway, chunks. */
export function wholeReading(context: ReadingContext, form: WireForm): Reading {
  return {
    bounds: BOUNDS,
    mostKeys: MOST_CHAT_KEYS,
    stream: () => createStreamDecoder(context, createsWireAnswer(context, form)),
    whole: (reply) => decodeWholeReply(reply, { ...context, form }),
  };
}

function createsWireAnswer(context: ReadingContext, form: WireForm): CreateAnswer {
  return (index) => createWireAnswer({ ...context, index, form });
}
