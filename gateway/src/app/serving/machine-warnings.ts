import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, loadClockSkewMs } from "../../db/index.ts";
import { MINUTE_MS, SECOND_MS } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { fileLimitIn, OWN_PROCESS } from "./open-files.ts";

const MOST_SKEW_MS = MINUTE_MS;
/** Every connection to a client, a provider or the database is a file. */
const LEAST_FILES = 1024;
const OWN_LIMITS = join(OWN_PROCESS, "limits");

/**
 * Warns at the start of what this machine will do badly under load, or with lists sorted by time. It can still serve.
 */
export async function warnOfMachine(input: {
  readonly db: Database;
  readonly log: Log;
  readonly limitsFile?: string;
}): Promise<void> {
  const { db, log, limitsFile = OWN_LIMITS } = input;
  await warnOfClock(db, log).catch((error: unknown) =>
    log.warn("clock_not_compared", { error: String(error) }),
  );
  warnOfFileLimit(await readFile(limitsFile, "utf8").catch(() => ""), log);
}

async function warnOfClock(db: Database, log: Log): Promise<void> {
  const skewMs = await loadClockSkewMs(db);
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return;
  const seconds = Math.round(Math.abs(skewMs) / SECOND_MS);
  const found = `This machine's clock is ${seconds} s ${skewMs > 0 ? "behind" : "ahead of"} the database's`;
  log.warn("clock_differs", { error: `${found}. Synchronize both clocks with NTP.` });
}

function warnOfFileLimit(limits: string, log: Log): void {
  const most = fileLimitIn(limits);
  if (most === null || most >= LEAST_FILES) return;
  const found = `This process may open ${most} files, and every connection is one`;
  log.warn("open_files_limited", { error: `${found}. Raise the limit (ulimit -n, LimitNOFILE of systemd).` });
}
