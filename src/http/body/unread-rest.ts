import { createFairShares, freeBytes } from "../../kit/index.ts";
import type { ClientAddress } from "../client-address.ts";
import type { Connection } from "../context.ts";
import type { ApiRoute } from "../route.ts";

/**
 * The rest of a refused request's body, read and thrown away before the refusal is sent. Where a connection ends with the
 * answer, the runtime closes it at once, and most clients are still sending then: all that they see is that it broke.
 * Where a connection stays open, the runtime itself reads on, after the answer.
 */
type UnreadRests = {
  /** Resolves when the answer may be sent: at once where there is nothing to be taken, or no room for that. */
  take(request: Request, response: Response, connection: Connection): Promise<void>;
};

type UnreadRestsOptions = {
  readonly routes: readonly Pick<ApiRoute, "bodyLimitBytes">[];
  /** What a body may take to arrive. */
  readonly timeoutMs: number;
  /** One sender's must not keep out those of others. */
  readonly clientAddress: Pick<ClientAddress, "of">;
};

/** Somebody who sends more than this many times the largest body has made no mistake. */
const TIMES_THE_LARGEST = 2;
/** For all of it: whoever is slower than that sees a broken connection, and keeps nothing from others. */
const MOST_MS = 5_000;
/** Whoever sends a large body never pauses for long: one that does waits for the answer. */
const MOST_PAUSE_MS = 500;
/** How many connections are read from at a time; one more is answered at once. Of each a piece is in memory. */
const PLACES = 64;
/** Who sent too slowly before would go on like that, and what has no room for a call has none for this. */
const NEVER_TAKEN: ReadonlySet<number> = new Set([408, 503]);
const CLOSES = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

export function createUnreadRests({ routes, timeoutMs, clientAddress }: UnreadRestsOptions): UnreadRests {
  const places = createFairShares({ most: PLACES });
  const largestBodyBytes = Math.max(0, ...routes.map(({ bodyLimitBytes }) => bodyLimitBytes ?? 0));
  const bounds = { bytes: TIMES_THE_LARGEST * largestBodyBytes, ms: Math.min(timeoutMs, MOST_MS) };
  return {
    async take(request, response, connection) {
      if (NEVER_TAKEN.has(response.status) || !endsConnection(request, response)) return;
      if (Number(request.headers.get("content-length") ?? 0) > bounds.bytes) return;
      const { body } = request;
      if (body === null || body.locked) return;
      const sender = clientAddress.of(connection.peerAddress(request), request.headers);
      if (!places.take(sender, 1)) return;
      try {
        await throwAway(body.getReader(), bounds);
      } finally {
        places.giveBack(sender, 1);
      }
    },
  };
}

function endsConnection(request: Request, response: Response): boolean {
  return [request, response].some(({ headers }) => CLOSES.test(headers.get("connection") ?? ""));
}

async function throwAway(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  most: { readonly bytes: number; readonly ms: number },
): Promise<void> {
  const stop = () => void reader.cancel().catch(() => {});
  const whole = setTimeout(stop, most.ms);
  let pause = setTimeout(stop, MOST_PAUSE_MS);
  let takenBytes = 0;
  try {
    while (takenBytes <= most.bytes) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(pause);
      pause = setTimeout(stop, MOST_PAUSE_MS);
      takenBytes += value.byteLength;
      if (value.byteLength === value.buffer.byteLength) freeBytes(value);
    }
    stop();
  } catch {
    // Its sender left, and reads no answer.
  } finally {
    clearTimeout(whole);
    clearTimeout(pause);
  }
}
