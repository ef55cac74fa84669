import { atMost } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";

export type ClosingParts = Readonly<Record<string, () => Promise<unknown> | undefined>>;

/** Each part limits itself, mostly to five seconds; this is for a part whose own limit fails. */
const CLOSE_MS = 6_000;

/**
 * Closes independent parts concurrently. A part that fails or takes too long is logged and abandoned, so that whatever
 * is closed next is closed in any case: an embedded PostgreSQL would keep running otherwise.
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
