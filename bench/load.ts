import { join } from "node:path";
import type { LoadOrders, LoadReport, LoadTally } from "./load-clients.ts";

export type Load = {
  readonly pid: number;
  /** One at a time. Fails if any reply is not a complete 200. */
  run(orders: LoadOrders): Promise<LoadTally>;
  stop(): Promise<void>;
};

/** For calls in flight when the time is up. */
const LINGER_MS = 30_000;

/** Starts the process that makes the calls; the same one for every contender of a bench. */
export function startLoad(): Load {
  let report: ((report: LoadReport) => void) | undefined;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "load-clients.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (message: LoadReport) => report?.(message),
    onExit: () => report?.({ failure: "the callers' process ended" }),
  });

  async function run(orders: LoadOrders): Promise<LoadTally> {
    const { promise, resolve } = Promise.withResolvers<LoadReport>();
    report = resolve;
    const limit = setTimeout(
      () => resolve({ failure: "no answer in time" }),
      orders.seconds * 1000 + LINGER_MS,
    );
    child.send(orders);
    const found = await promise;
    clearTimeout(limit);
    if ("failure" in found) throw new Error(found.failure);
    return found.tally;
  }

  return {
    pid: child.pid,
    run,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
