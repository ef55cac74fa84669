/**
 * A process that makes calls at a fixed rate, however slowly they are answered, over as many connections as that takes.
 * Its argument holds all orders; it prints its tally at the end.
 */
import { present } from "../gateway/src/kit/index.ts";

export type OverloadOrders = {
  readonly port: number;
  /** The whole HTTP request, head and body. */
  readonly request: string;
  /** Calls per second; null for as many as `maxConnections` can get answered. */
  readonly ratePerSecond: number | null;
  readonly maxConnections: number;
  readonly seconds: number;
};

export type OverloadTally = {
  /** By status; 0 for broken connections. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Calls that were due while every connection was busy. */
  readonly unsent: number;
  readonly served: readonly number[];
  readonly refused: readonly number[];
};

const TICK_MS = 2;
/** For calls in flight at the end. */
const LINGER_MS = 5_000;
const HEAD_END = "\r\n\r\n";

type Line = { socket: Bun.Socket<undefined> | null; held: string; dueMs: number };

if (import.meta.main) await offer(JSON.parse(present(process.argv[2], "orders")) as OverloadOrders);

async function offer(orders: OverloadOrders): Promise<void> {
  const { ratePerSecond, maxConnections } = orders;
  const statuses: Record<string, number> = {};
  const served: number[] = [];
  const refused: number[] = [];
  const idle: Line[] = [];
  let lines = 0;
  let busy = 0;
  let unsent = 0;
  let isOver = false;

  function answered(line: Line, status: string): void {
    statuses[status] = (statuses[status] ?? 0) + 1;
    busy--;
    const tookMs = performance.now() - line.dueMs;
    if (status === "200") served.push(tookMs);
    else if (status === "503") refused.push(tookMs);
    if (ratePerSecond === null && !isOver) ask(line, performance.now());
    else if (line.socket !== null) idle.push(line);
  }

  function take(line: Line, bytes: Buffer): void {
    line.held += bytes.toString("latin1");
    const headEnd = line.held.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(line.held.slice(0, headEnd))?.[1] ?? 0);
    if (line.held.length < headEnd + HEAD_END.length + length) return;
    const status = line.held.slice(9, 12);
    line.held = "";
    answered(line, status);
  }

  function ask(line: Line, dueMs: number): void {
    line.dueMs = dueMs;
    busy++;
    line.socket?.write(orders.request);
  }

  function open(dueMs: number): void {
    const line: Line = { socket: null, held: "", dueMs };
    lines++;
    const lost = () => {
      const wasBusy = line.socket === null || !idle.includes(line);
      line.socket = null;
      lines--;
      if (wasBusy) answered(line, "0");
    };
    busy++;
    Bun.connect({
      hostname: "127.0.0.1",
      port: orders.port,
      socket: {
        open(socket) {
          line.socket = socket;
          socket.write(orders.request);
        },
        data: (_, bytes) => take(line, bytes),
        close: lost,
        error: () => {},
      },
    }).catch(lost);
  }

  const startedMs = performance.now();
  const untilMs = startedMs + orders.seconds * 1000;
  if (ratePerSecond === null) for (let at = 0; at < maxConnections; at++) open(performance.now());
  let sent = 0;
  while (performance.now() < untilMs) {
    await Bun.sleep(TICK_MS);
    const due = ratePerSecond === null ? 0 : ((performance.now() - startedMs) / 1000) * ratePerSecond;
    for (; sent < due; sent++) {
      const dueMs = startedMs + (sent / (ratePerSecond ?? 1)) * 1000;
      const line = idle.pop();
      if (line !== undefined) ask(line, dueMs);
      else if (lines < maxConnections) open(dueMs);
      else unsent++;
    }
  }
  isOver = true;
  const seconds = (performance.now() - startedMs) / 1000;
  for (const endMs = performance.now() + LINGER_MS; busy > 0 && performance.now() < endMs; )
    await Bun.sleep(10);
  const tally: OverloadTally = { statuses, seconds, unsent, served, refused };
  process.stdout.write(JSON.stringify(tally), () => process.exit(0));
}
