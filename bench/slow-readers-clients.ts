/** A process of slow readers, so that they take no CPU from the one that measures. Its argument holds all orders. */
import { present } from "../gateway/src/kit/index.ts";

export type ReaderOrders = {
  readonly port: number;
  readonly count: number;
  /** The whole HTTP request, head and body. */
  readonly request: string;
  /** Between two reads of what has arrived. */
  readonly pauseMs: number;
  /** The first requests are spread over this time. */
  readonly rampMs: number;
};

/** Counts so far, reported once a second. */
export type ReaderTally = {
  readonly open: number;
  readonly done: number;
  readonly failed: number;
  readonly megabytes: number;
};

const AGAIN_AFTER_MS = 1_000;
const TALLY_EVERY_MS = 1_000;
const HTTP = Buffer.from("HTTP/1.1 ");
const WELL = Buffer.from("HTTP/1.1 200");
const DONE = Buffer.from("event: done");

if (import.meta.main) start(JSON.parse(present(process.argv[2], "orders")) as ReaderOrders);

function start(orders: ReaderOrders): void {
  const tally = { open: 0, done: 0, failed: 0, bytes: 0 };
  for (let at = 0; at < orders.count; at++)
    setTimeout(() => read(orders, tally), (orders.rampMs * at) / orders.count);
  setInterval(() => {
    const { bytes, ...counts } = tally;
    process.send?.({ ...counts, megabytes: bytes / 1e6 } satisfies ReaderTally);
  }, TALLY_EVERY_MS);
}

type Tally = { open: number; done: number; failed: number; bytes: number };

/** One stream after the other, each read in bursts: what arrives in between waits in the kernel, then the gateway. */
function read(orders: ReaderOrders, tally: Tally): void {
  let isDone = false;
  let timer: Timer | undefined;
  function ended(): void {
    if (timer !== undefined) clearInterval(timer);
    tally.open--;
    if (isDone) tally.done++;
    else tally.failed++;
    setTimeout(() => read(orders, tally), AGAIN_AFTER_MS * Math.random());
  }
  tally.open++;
  Bun.connect({
    hostname: "127.0.0.1",
    port: orders.port,
    socket: {
      open(socket) {
        socket.write(orders.request);
        timer = setInterval(() => socket.resume(), orders.pauseMs);
      },
      data(socket, bytes) {
        tally.bytes += bytes.length;
        isDone = bytes.includes(DONE);
        if (isDone || isRefused(bytes)) socket.end();
        else socket.pause();
      },
      close: ended,
      error: () => {},
    },
  }).catch(ended);
}

function isRefused(bytes: Buffer): boolean {
  return bytes.indexOf(HTTP) === 0 && bytes.indexOf(WELL) !== 0;
}
