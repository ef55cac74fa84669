import {
  createSseParser,
  DEFAULT_SSE_BOUNDS,
  type SseBounds,
  type SseEvent,
  SseOverflow,
} from "../../kit/index.ts";
import { bodyOf } from "./body.ts";
import { oversizeFailure } from "./network-failure.ts";
import type { OutboundResponse } from "./outbound-call.ts";
import { drain } from "./read-body.ts";

export type SseOptions = SseBounds & {
  /**
   * The data that ends the stream, such as `[DONE]`. What comes after it is not yielded but read away for a
   * moment: then the connection can be used again, which a TLS handshake makes worth it.
   */
  readonly lastData?: string;
};

const DRAIN = { maxBytes: 16 << 10, limitMs: 250 };

/**
 * The events of a stream, one batch per piece of the network, never an empty one. Leaving the loop early
 * closes the connection.
 */
export async function* sseEvents(
  response: OutboundResponse,
  options: SseOptions = DEFAULT_SSE_BOUNDS,
): AsyncGenerator<readonly SseEvent[], void, void> {
  const body = bodyOf(response);
  const parser = createSseParser(options);
  let isDrained = false;
  try {
    for (let piece = await body.read(); ; piece = await body.read()) {
      const events = piece === null ? parser.end() : parser.push(piece);
      const last = options.lastData === undefined ? -1 : lastOf(events, options.lastData);
      if (last >= 0) {
        isDrained = true;
        if (piece !== null) drain(response, DRAIN);
        yield last === events.length - 1 ? events : events.slice(0, last + 1);
        return;
      }
      if (events.length > 0) yield events;
      if (piece === null) return;
    }
  } catch (error) {
    if (error instanceof SseOverflow) throw oversizeFailure(error.message, body.host);
    throw error;
  } finally {
    if (!isDrained) body.cancel();
  }
}

function lastOf(events: readonly SseEvent[], data: string): number {
  for (let at = 0; at < events.length; at++) if (events[at]?.data === data) return at;
  return -1;
}
