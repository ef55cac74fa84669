import { afterEach } from "bun:test";
import {
  type RawServer,
  type Exchange as ServerSide,
  startRawServer,
} from "../../../../test/upstream/raw-http.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Exchange } from "./exchange.ts";
import { type Http1Request, requestPieces } from "./request-bytes.ts";
import { type Target, targetOf } from "./target.ts";

export function targetAt(port: number, path = "/"): Target {
  const target = targetOf(`http://127.0.0.1:${port}${path}`);
  if (target === null) throw new Error("an address of ours");
  return target;
}

/** Sends requests through a separate pool, so that no other test's connections interfere. */
export function createSender(pool = new ConnectionPool()) {
  return (
    target: Target,
    request: Partial<Http1Request> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Exchange> => {
    const whole = { method: "POST", headers: {}, body: "{}", ...request };
    const { isSentOnce } = whole;
    return new Exchange({ pool, target, request: requestPieces(target, whole), isSentOnce, signal }).start();
  };
}

export async function textOf(exchange: Exchange): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let piece = await exchange.read(); piece !== null; piece = await exchange.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Servers for the tests of one file, each closed when its test is over; `answer` gets the number of the request. */
export function serversOfTests() {
  const servers: RawServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  return async (answer: (side: ServerSide, count: number) => void | Promise<void>): Promise<RawServer> => {
    let count = 0;
    const server = await startRawServer((side) => answer(side, ++count));
    servers.push(server);
    return server;
  };
}

/** The code of the error that the work failed with, or the error as text. */
export function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}
