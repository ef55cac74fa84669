import type { ReasoningMark } from "../../contract.ts";
import type { SseOptions } from "../../outbound/index.ts";
import type { ReadingContext } from "../decode/decode-chunk.ts";
import type { Reading } from "../reading.ts";
import { createResponseStreamDecoder } from "./decode-response-stream.ts";
import { createThoughtMarker } from "./marked-thoughts.ts";
import { createNeutralTeller } from "./neutral-teller.ts";
import { createWireTeller } from "./wire-teller.ts";

/** Three events repeat the request's instructions and tools, so one may be as long as the longest request. */
const BOUNDS: SseOptions = {
  maxLineLength: 40 << 20,
  maxEventLength: 40 << 20,
  lastEvents: new Set(["response.completed", "response.incomplete", "response.failed"]),
};

/** A response in the words of its wire; in one piece it is its end, which says all of it. */
export function responseReading(context: ReadingContext, mark?: ReasoningMark): Reading {
  const marked = createThoughtMarker(context.namespace, mark);
  return {
    bounds: BOUNDS,
    stream: () => createResponseStreamDecoder(context, createWireTeller(context, marked)),
    whole: (reply) => createWireTeller(context, marked).end(reply),
  };
}

/** A response in neutral events, for who has not asked for one; `hasForm` where the answer is to be JSON. */
export function neutralResponseReading(context: ReadingContext, form = { hasForm: false }): Reading {
  return {
    bounds: BOUNDS,
    stream: () => createResponseStreamDecoder(context, createNeutralTeller(context, form)),
    whole: (reply) => createNeutralTeller(context, form).end(reply),
  };
}
