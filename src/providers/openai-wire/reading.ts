import type { ChatEvent } from "../contract.ts";
import type { SseOptions } from "../outbound/index.ts";
import { type CreateAnswer, decodeWhole, type ReadingContext } from "./decode/decode-chunk.ts";
import { decodePlainReply } from "./decode/decode-plain-reply.ts";
import { createStreamDecoder, type StreamDecoder } from "./decode/decode-stream.ts";
import { decodeWholeReply } from "./passthrough/whole-reply.ts";
import { createWireAnswer } from "./passthrough/wire-answer.ts";
import type { WireForm } from "./passthrough/wire-form.ts";

/** How an answer is read: both ways, since servers do not always answer in the way that was asked for. */
export type Reading = {
  readonly bounds: SseOptions;
  stream(): StreamDecoder;
  /** Of a reply in one piece, parsed. */
  whole(reply: Readonly<Record<string, unknown>>): ChatEvent[];
};

/** A reply that is no stream is held whole; no model's answer comes near. */
export const MAX_REPLY_BYTES = 32 << 20;

/** Where a model draws, a picture is one chunk; a longer one would keep the loop busy for too long. */
const MAX_CHUNK_LENGTH = 16 << 20;
const BOUNDS: SseOptions = {
  maxLineLength: MAX_CHUNK_LENGTH,
  maxEventLength: MAX_CHUNK_LENGTH,
  lastData: "[DONE]",
};

/** In neutral events. */
export function neutralReading(context: ReadingContext): Reading {
  return new NeutralReading(context);
}

class NeutralReading implements Reading {
  readonly bounds = BOUNDS;

  constructor(readonly context: ReadingContext) {}

  stream(): StreamDecoder {
    return createStreamDecoder(this.context);
  }

  whole(reply: Readonly<Record<string, unknown>>): ChatEvent[] {
    return decodePlainReply(reply, this.context) ?? decodeWhole(reply, this.context);
  }
}

/** In the words of the wire, piece by piece. */
export function wireReading(context: ReadingContext, form: WireForm): Reading {
  const createAnswer = createsWireAnswer(context, form);
  return {
    bounds: BOUNDS,
    stream: () => createStreamDecoder(context, createAnswer),
    whole: (reply) => decodeWhole(reply, context, createAnswer),
  };
}

/** In the words of the wire, in one piece; a server that streams all the same is read piece by piece. */
export function wholeReading(context: ReadingContext, form: WireForm): Reading {
  return {
    bounds: BOUNDS,
    stream: () => createStreamDecoder(context, createsWireAnswer(context, form)),
    whole: (reply) => decodeWholeReply(reply, { ...context, form }),
  };
}

function createsWireAnswer(context: ReadingContext, form: WireForm): CreateAnswer {
  return (index) => createWireAnswer({ ...context, index, form });
}
