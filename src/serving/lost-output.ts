import type { Log } from "../telemetry/index.ts";

/**
 * A full disk or a reader that has gone costs what is printed, not the service: without a listener the runtime ends the
 * process. Only stdout is written to this way; the log, on stderr, counts by itself what it could not write.
 */
export function serveWithoutOutput(log: Log, output: NodeJS.EventEmitter = process.stdout): void {
  let isTold = false;
  output.on("error", (error: Error) => {
    if (isTold) return;
    isTold = true;
    const lost = `The start-up output could not be written (${error.message})`;
    log.warn("output_lost", { error: `${lost}. To get a new API key, run bursar key create.` });
  });
}
