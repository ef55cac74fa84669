import type { ChatEvent } from "../../contract/index.ts";
import type { SseOptions } from "../../outbound/index.ts";
import {
  type CreateAnswer,
  decodeWhole,
  MOST_CHAT_KEYS,
  type ReadingContext,
} from "./decode/decode-chunk.ts";
import { createStreamDecoder, type StreamDecoder } from "./decode/decode-stream.ts";
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

/** Emits neutral events, or what `createAnswer` makes of an answer. */
export function neutralReading(context: ReadingContext, createAnswer?: CreateAnswer): Reading {
  return {
    bounds: BOUNDS,
    mostKeys: MOST_CHAT_KEYS,
    stream: () => createStreamDecoder(context, createAnswer),
    whole: (reply) => decodeWhole(reply, context, createAnswer),
  };
}

/** Emits repaired chunks of the caller's wire. */
export function wireReading(context: ReadingContext, form: WireForm): Reading {
  return neutralReading(context, (index) => createWireAnswer({ ...context, index, form }));
}

/** Emits the whole repaired reply of the caller's wire; if a server streams anyway, chunks. */
export function wholeReading(context: ReadingContext, form: WireForm): Reading {
  return {
    ...wireReading(context, form),
    whole: (reply) => decodeWholeReply(reply, { ...context, form }),
  };
}
