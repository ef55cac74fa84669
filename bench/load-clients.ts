/**
 * The callers of a bench, as their own process, so that their cost is separate from what they measure. Messages tell it
 * what to request and for how long. Sockets instead of fetch: they share the machine with what is measured, and a
 * client that costs as much as a gateway would hide half of every difference.
 */
import { type HttpAnswer, readHttpAnswer } from "./http-answer.ts";
import { percentile } from "./table.ts";

export type LoadOrders = {
  readonly port: number;
  /** The whole HTTP request, head and body. */
  readonly request: string;
  readonly connections: number;
  readonly seconds: number;
  /** Texts that the first reply on each connection must contain. */
  readonly expected: readonly string[];
  /** Wherever this text stands in the request, every call has a number of as many digits in its place. */
  readonly newNumber: string;
};

export type LoadTally = {
  readonly calls: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the first byte of the body; the same as the whole for replies in one piece. */
  readonly firstByteP50Ms: number;
};

export type LoadReport = { readonly tally: LoadTally } | { readonly failure: string };

type Times = { readonly wholeMs: number[]; readonly firstByteMs: number[] };
type Round = { readonly orders: LoadOrders; readonly untilMs: number };

/** Share of the first reply's length; numbers in a reply, such as a balance, have more or fewer digits. */
const LEAST_SHARE = 0.9;

if (import.meta.main) {
  process.on("message", (orders: LoadOrders) => {
    offer(orders).then(
      (tally) => process.send?.({ tally } satisfies LoadReport),
      (error: Error) => process.send?.({ failure: error.message } satisfies LoadReport),
    );
  });
  process.on("disconnect", () => process.exit(0));
}

async function offer(orders: LoadOrders): Promise<LoadTally> {
  const times: Times = { wholeMs: [], firstByteMs: [] };
  const startedMs = performance.now();
  const untilMs = startedMs + orders.seconds * 1000;
  const round: Round = { orders, untilMs };
  await Promise.all(Array.from({ length: orders.connections }, () => keepAsking(round, times)));
  const seconds = (performance.now() - startedMs) / 1000;
  times.wholeMs.sort((a, b) => a - b);
  times.firstByteMs.sort((a, b) => a - b);
  return {
    calls: times.wholeMs.length,
    seconds,
    p50Ms: percentile(times.wholeMs, 0.5),
    p99Ms: percentile(times.wholeMs, 0.99),
    firstByteP50Ms: percentile(times.firstByteMs, 0.5),
  };
}

/** One connection, one call after the other until the time is up; each reply must be a complete 200. */
async function keepAsking({ orders, untilMs }: Round, times: Times): Promise<void> {
  const { promise: isOver, resolve, reject } = Promise.withResolvers<void>();
  const request = Buffer.from(orders.request);
  const renew = renewal(request, orders.newNumber);
  let unsent: Buffer = request;
  let answer = readHttpAnswer({ keepsText: true });
  let usualBytes = 0;
  let sentMs = 0;

  const push = (socket: Bun.Socket<undefined>) => {
    if (unsent.length > 0) unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  const ask = (socket: Bun.Socket<undefined>) => {
    renew();
    sentMs = performance.now();
    unsent = request;
    push(socket);
  };
  const finish = (socket: Bun.Socket<undefined>) => {
    const nowMs = performance.now();
    times.wholeMs.push(nowMs - sentMs);
    times.firstByteMs.push(answer.firstByteMs - sentMs);
    usualBytes = checkedBytes(answer, usualBytes, orders.expected);
    answer = readHttpAnswer({ keepsText: false });
    if (nowMs < untilMs) return ask(socket);
    resolve();
    socket.end();
  };
  await Bun.connect({
    hostname: "127.0.0.1",
    port: orders.port,
    socket: {
      open: ask,
      drain: push,
      data(socket, bytes) {
        try {
          if (answer.take(bytes)) finish(socket);
        } catch (error) {
          reject(error);
          socket.end();
        }
      },
      close: () => reject(new Error("a connection was closed")),
      error: (_, error) => reject(error),
    },
  });
  await isOver;
}

const ZERO = 0x30;
/** Never the same twice, whichever connection uses it. */
let lastNumber = 0;

/** Puts new numbers into the request, digit by digit: a text made anew would cost as much as what is measured. */
function renewal(request: Buffer, newNumber: string): () => void {
  const digits = newNumber.length;
  const found = request.toString("latin1").matchAll(new RegExp(newNumber, "g"));
  const places = Array.from(found, ({ index }) => index);
  return () => {
    for (const place of places) {
      let rest = ++lastNumber;
      for (let at = place + digits - 1; at >= place; at--) {
        request[at] = ZERO + (rest % 10);
        rest = Math.floor(rest / 10);
      }
    }
  };
}

/** Returns the usual length: the first reply must contain what is expected, later ones must not be much shorter. */
function checkedBytes({ text, bodyBytes }: HttpAnswer, usual: number, expected: readonly string[]): number {
  if (usual === 0) {
    const missing = expected.find((each) => !text.includes(each));
    if (missing !== undefined) throw new Error(`an answer lacks "${missing}": ${text.slice(0, 500)}`);
    return bodyBytes;
  }
  if (bodyBytes < usual * LEAST_SHARE) throw new Error(`an answer of ${bodyBytes} bytes instead of ${usual}`);
  return usual;
}
