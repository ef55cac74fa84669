import type { StopSignal } from "../../kit/index.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Exchange } from "./exchange.ts";
import { type Http1Request, requestPieces } from "./request-bytes.ts";
import { targetOf } from "./target.ts";

/** One pool per process, like the runtime's own client: two providers on one host share connections. */
const pool = new ConnectionPool();

/** An exchange that is not started yet; null if the call needs the runtime's client instead. */
export function http1Exchange(url: string, request: Http1Request, signal: StopSignal): Exchange | null {
  const target = targetOf(url);
  if (target === null) return null;
  const pieces = requestPieces(target, request);
  return new Exchange({ pool, target, request: pieces, isSentOnce: request.isSentOnce, signal });
}
