import { logWritten } from "./telemetry/index.ts";

/** npm, a terminal and a supervisor may each pass the same wish on: within this time they are one. */
const SAME_WISH_MS = 1_000;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP. Another Ctrl-C after that means "now": the process ends
 * as soon as its log is written, and what ran is released by the sweeper. More SIGTERMs change nothing: supervisors repeat them.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        firstMs ??= performance.now();
        if (signal === "SIGINT" && performance.now() - firstMs > SAME_WISH_MS) {
          void logWritten().finally(() => process.exit(130));
        }
        resolve(signal);
      });
    }
    // A worker whose supervisor was killed would serve on, on a port that the next start shares with it.
    process.on("disconnect", () => resolve("SIGHUP"));
  });
}
