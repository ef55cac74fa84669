import { atMost } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";

export type ClosingParts = Readonly<Record<string, () => Promise<unknown> | undefined>>;

/** Each part has a bound of its own, mostly five seconds; this one is for a part whose bound does not hold. */
const CLOSE_MS = 6_000;

/**
 * Closes what does not depend on each other at once. A part that fails or takes too long is named in the log and left, so
 * that what comes after it is closed in any case: the database that Bursar runs would go on without it.
 */
export async function closeTogether(log: Log, parts: ClosingParts, limitMs = CLOSE_MS): Promise<void> {
  await Promise.all(Object.entries(parts).map(([part, close]) => closeOne(log, part, close, limitMs)));
}

async function closeOne(
  log: Log,
  part: string,
  close: () => Promise<unknown> | undefined,
  limitMs: number,
): Promise<void> {
  try {
    const isClosed = await atMost(Promise.resolve(close()), limitMs);
    if (!isClosed) throw new Error(`took more than ${limitMs} ms`);
  } catch (error) {
    log.warn("not_closed", { part, error: String(error) });
  }
}
