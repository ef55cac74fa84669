/** All clients of a random run, in their own process: they make the planned calls and log what they see. */
import { createAppendLog } from "./append-log.ts";
import { planCall } from "./call-plan.ts";
import { finishCall, startCall } from "./client-call.ts";

export type ClientOrders = {
  readonly seed: number;
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly clients: number;
  readonly organizations: number;
  readonly origins: readonly [string, string];
  readonly keys: readonly string[];
  readonly secrets: readonly string[];
  readonly logPath: string;
};

/** `attempts` counts lines of the log. Any message to this process means that no more faults will happen. */
export type ClientsReport = { readonly started: number; readonly ended: number; readonly attempts: number };

const REPORT_EVERY_MS = 250;
const REPEATS_AT_ONCE = 24;
/** How long after the last fault: a lease, its sweep, a job's own lease, and the pauses between. */
const MOST_WAIT_MS = 120_000;
const SOON_MS = 4;

// The parent process has died or has closed the channel.
if (import.meta.main) process.on("disconnect", () => process.exit(0));
if (import.meta.main) await run(JSON.parse(await Bun.stdin.text()) as ClientOrders);

async function run(orders: ClientOrders): Promise<void> {
  const log = createAppendLog(orders.logPath);
  const counts = { started: 0, ended: 0, attempts: 0 };
  const world = {
    ...orders,
    avoidedUntilMs: [0, 0] as [number, number],
    repeat: createTurns(REPEATS_AT_ONCE),
    patientUntilMs: Number.POSITIVE_INFINITY,
    write(line: object) {
      counts.attempts++;
      log.write(line);
    },
  };
  process.on("message", () => {
    world.patientUntilMs = performance.now() + MOST_WAIT_MS;
  });
  const report = () => process.send?.({ ...counts } satisfies ClientsReport);
  const reporting = setInterval(report, REPORT_EVERY_MS);
  const followed = new Set<Promise<void>>();
  const startedMs = performance.now();

  async function client(): Promise<void> {
    while (counts.started < orders.calls) {
      const dueMs = startedMs + (counts.started / orders.callsPerSecond) * 1000;
      if (dueMs > performance.now()) {
        await Bun.sleep(SOON_MS);
        continue;
      }
      const call = planCall(orders.seed, ++counts.started, orders.organizations);
      const first = await startCall(call, world);
      const rest = finishCall(call, world, first).finally(() => {
        counts.ended++;
        followed.delete(rest);
      });
      followed.add(rest);
    }
  }

  await Promise.all(Array.from({ length: orders.clients }, client));
  await Promise.all(followed);
  clearInterval(reporting);
  log.close();
  report();
  process.disconnect?.();
  process.exit(0);
}

/** Runs at most `most` at once; the others wait. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (work) => {
    if (taken >= most) await new Promise<void>((wake) => waiting.push(wake));
    taken++;
    try {
      return await work();
    } finally {
      taken--;
      waiting.shift()?.();
    }
  };
}
