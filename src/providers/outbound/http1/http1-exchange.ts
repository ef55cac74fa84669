import type { StopSignal } from "../../../kit/index.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Exchange } from "./exchange.ts";
import { type Http1Request, requestBytes } from "./request-bytes.ts";
import { targetOf } from "./target.ts";

/** One for the process, as the runtime's own client has it: two providers on one host share their connections. */
const pool = new ConnectionPool();

/** To be started; null where the call is not one for us: then the runtime's client makes it. */
export function http1Exchange(url: string, request: Http1Request, signal: StopSignal): Exchange | null {
  const target = targetOf(url);
  if (target === null) return null;
  const bytes = requestBytes(target, request);
  return new Exchange({ pool, target, request: bytes, isSentOnce: request.isSentOnce, signal });
}
