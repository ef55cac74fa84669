import { createFairShares, freeBytes } from "../../kit/index.ts";
import type { ClientAddress } from "../client-address.ts";
import type { Connection } from "../context.ts";
import type { ApiRoute } from "../route.ts";

/**
 * Reads and discards the rest of a refused request's body before the refusal is sent. If the connection ends with the
 * reply, the runtime closes it at once, while most clients are still sending: all they would see is a broken
 * connection. If the connection stays open, the runtime itself reads on after the reply.
 */
type UnreadRests = {
  /** Resolves when the reply may be sent: at once if there is nothing to read, or no room to read it. */
  take(request: Request, response: Response, connection: Connection): Promise<void>;
};

type UnreadRestsOptions = {
  readonly routes: readonly Pick<ApiRoute, "bodyLimitBytes">[];
  /** How long a body may take to arrive. */
  readonly timeoutMs: number;
  /** Places are shared fairly by sender, so that one cannot keep out the others. */
  readonly clientAddress: Pick<ClientAddress, "of">;
};

/** Nobody sends more than this many times the largest allowed body by mistake. */
const TIMES_THE_LARGEST = 2;
/** Limit for the whole rest: a slower sender sees a broken connection, but takes nothing from others. */
const MOST_MS = 5_000;
/** A client that is sending a large body never pauses for long: one that does is waiting for the reply. */
const MOST_PAUSE_MS = 500;
/** How many connections are read from at once, with one piece of each in memory; any more are answered at once. */
const PLACES = 64;
/** After a 408 the sender would stay slow; after a 503 there is no room for this either. */
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
    // The sender disconnected and reads no reply.
  } finally {
    clearTimeout(whole);
    clearTimeout(pause);
  }
}
