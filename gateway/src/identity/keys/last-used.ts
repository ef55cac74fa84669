import type pg from "pg";
import type { Clock } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { saveLastUsed } from "./store.ts";

/** When keys were last used: collected in memory and written periodically, so that no call waits for it. */
export type LastUsed = {
  record(keyId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

const FLUSH_MS = 10_000;
/** Most keys recorded between two flushes; more are ignored until the next. */
const MAX_KEYS = 50_000;

export function createLastUsed(deps: { pool: pg.Pool; log: Log; clock: Clock }): LastUsed {
  const { pool, log, clock } = deps;
  let usedAtMs = new Map<string, number>();

  async function flush(): Promise<void> {
    if (usedAtMs.size === 0) return;
    const batch = usedAtMs;
    usedAtMs = new Map();
    const nowMs = clock.elapsedMs();
    try {
      // Sends ages instead of times, so that only the database's clock counts.
      await saveLastUsed(
        pool,
        [...batch].map(([keyId, atMs]) => ({ keyId, ageMs: nowMs - atMs })),
      );
    } catch (error) {
      log.warn("key_last_use_not_saved", { keys: batch.size, error: String(error) });
      for (const [keyId, atMs] of batch) {
        if (usedAtMs.size < MAX_KEYS && !usedAtMs.has(keyId)) usedAtMs.set(keyId, atMs);
      }
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    record(keyId) {
      if (usedAtMs.size < MAX_KEYS || usedAtMs.has(keyId)) usedAtMs.set(keyId, clock.elapsedMs());
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
