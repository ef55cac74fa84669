import { join } from "node:path";
import type { ReaderOrders, ReaderReport } from "./ledger-reader-process.ts";

/** Starts the process that reads the ledger during a run (`ledger-reader-process.ts`); `stop` returns what it found. */
export function startReader(orders: ReaderOrders): { stop(): Promise<ReaderReport> } {
  const report = Promise.withResolvers<ReaderReport>();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "ledger-reader-process.ts"), JSON.stringify(orders)],
    { stdio: ["ignore", "inherit", "inherit"], ipc: (message) => report.resolve(message as ReaderReport) },
  );
  void child.exited.then((code) => report.reject(new Error(`the reader ended with ${code}`)));
  return {
    stop() {
      child.send("stop");
      return report.promise;
    },
  };
}
