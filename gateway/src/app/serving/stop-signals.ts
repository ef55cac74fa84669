import { EmbeddedPostgresError, UnreachableDatabaseError } from "../../db/index.ts";
import { logWritten } from "../../telemetry/index.ts";

/** npm, a terminal and a supervisor may each forward the same request to stop: within this time they count as one. */
const SAME_WISH_MS = 1_000;

/**
 * Resolves at the first SIGTERM, SIGINT, SIGHUP or SIGQUIT. Another Ctrl-C after that means "now": the process ends as
 * soon as its log is written, and the sweeper releases the running calls. More SIGTERMs change nothing, since
 * supervisors repeat them.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
      process.on(signal, () => {
        firstMs ??= performance.now();
        if (signal === "SIGINT" && performance.now() - firstMs > SAME_WISH_MS) {
          void logWritten().finally(() => process.exit(130));
        }
        resolve(signal);
      });
    }
    // If the launcher or supervisor that started us is killed, we would keep serving on a port that the next start
    // needs.
    process.on("disconnect", () => resolve("SIGHUP"));
  });
}

/** As a shell reports a process that was ended by a signal. */
const EXIT_CODES: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGTERM: 143,
};

/**
 * Returns what was started, or the exit code if it was stopped meanwhile. A signal to the whole process group, as a
 * terminal sends it, ends PostgreSQL's programs too: whoever sent it need not be told that they broke off, nor that a
 * database which was waited for did not come.
 */
export async function startedUnlessStopped<T extends object>(
  stopped: Promise<NodeJS.Signals>,
  start: Promise<T>,
): Promise<T | number> {
  try {
    return await start;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError || error instanceof UnreachableDatabaseError)) throw error;
    const nothing = new Promise<null>((resolve) => setImmediate(resolve, null));
    const signal = await Promise.race([stopped, nothing]);
    const exitCode = signal === null ? undefined : EXIT_CODES[signal];
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}
