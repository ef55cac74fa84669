import type { Log } from "../../telemetry/index.ts";

/**
 * If stdout cannot be written (full disk, reader gone), output is lost but the service continues: without a listener
 * the runtime would end the process. Only stdout is handled here; the log, on stderr, counts by itself what it could
 * not write.
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
