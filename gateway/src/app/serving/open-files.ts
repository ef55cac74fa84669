import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metrics } from "../../telemetry/index.ts";

/** Linux only; elsewhere there are no figures. */
export const OWN_PROCESS = "/proc/self";
/** All processes of a node have the same limit, each for itself: the one closest to it matters. */
const OF_THE_LARGEST = { isShared: true };

/** Null if the system reports no number. */
export function fileLimitIn(limits: string): number | null {
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? null : Number(most);
}

/** Every connection is a file. At its limit a process accepts no more connections, and nothing else reports that. */
export function registerFileGauges(metrics: Metrics, ownProcess = OWN_PROCESS): void {
  const most = limitOf(ownProcess);
  if (most === null) return;
  metrics
    .gauge("bursar_open_files", "Open files and connections, of the process with the most.", OF_THE_LARGEST)
    // If the folder cannot be read, no file is left to open.
    .read(() => countOpen(ownProcess) ?? most);
  metrics
    .gauge("bursar_open_files_limit", "Files and connections that a process may have open.", OF_THE_LARGEST)
    .read(() => limitOf(ownProcess) ?? most);
}

function limitOf(ownProcess: string): number | null {
  try {
    return fileLimitIn(readFileSync(join(ownProcess, "limits"), "utf8"));
  } catch {
    return null;
  }
}

function countOpen(ownProcess: string): number | null {
  try {
    // Reading the folder opens a file itself.
    return readdirSync(join(ownProcess, "fd")).length - 1;
  } catch {
    return null;
  }
}
