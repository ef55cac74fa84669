import type { ReasoningMark } from "../../../contract/index.ts";
import { MAX_FOREIGN_KEYS } from "../../../kit/index.ts";
import type { SseOptions } from "../../../outbound/index.ts";
import type { ReadingContext } from "../decode/decode-chunk.ts";
import type { Reading } from "../reading.ts";
import { createResponseStreamDecoder, type ResponseEmitter } from "./decode-response-stream.ts";
import { createReasoningMarker } from "./marked-reasoning.ts";
import { createNeutralEmitter } from "./neutral-emitter.ts";
import { createWireEmitter } from "./wire-emitter.ts";

/** Three events repeat the request's instructions and tools, so an event can be as long as the longest request. */
const BOUNDS: SseOptions = {
  maxLineLength: 40 << 20,
  maxEventLength: 40 << 20,
  lastEvents: new Set(["response.completed", "response.incomplete", "response.failed"]),
};

/** Reads a response in its own wire; a whole one is read as its final event, which contains everything. */
export function responseReading(context: ReadingContext, mark?: ReasoningMark): Reading {
  const marked = createReasoningMarker(context.namespace, mark);
  return readingBy(context, () => createWireEmitter(context, marked));
}

/** Reads a response into neutral events, for callers of another API; `hasForm` if the answer must be JSON. */
export function neutralResponseReading(context: ReadingContext, form = { hasForm: false }): Reading {
  return readingBy(context, () => createNeutralEmitter(context, form));
}

function readingBy(context: ReadingContext, createEmitter: () => ResponseEmitter): Reading {
  return {
    bounds: BOUNDS,
    mostKeys: MAX_FOREIGN_KEYS,
    stream: () => createResponseStreamDecoder(context, createEmitter()),
    whole: (reply) => createEmitter().end(reply),
  };
}
