import type { Database } from "../db/index.ts";
import { MINUTE_MS } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { ObjectStore } from "./object-store.ts";
import { claimDueOrphans, forgetOrphans, postponeOrphans } from "./orphan-store.ts";

const BATCH = 64;
const MOST_BATCHES = 64;
const AT_ONCE = 8;
const TRY_AGAIN_MS = 10 * MINUTE_MS;

type Sweep = {
  /** Removes objects that are due; returns how many. */
  run(): Promise<number>;
  /** Removes claimed objects. Never rejects: what remains is swept later. */
  remove(objectKeys: readonly string[]): Promise<number>;
};

export function createSweep(deps: {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly log: Log;
}): Sweep {
  const { db, objects, log } = deps;

  async function remove(objectKeys: readonly string[]): Promise<number> {
    const removed: string[] = [];
    const kept: string[] = [];
    const waiting = [...objectKeys];
    const one = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        try {
          await objects.delete(key);
          removed.push(key);
        } catch (error) {
          kept.push(key);
          log.warn("object_not_removed", { object: key, error: String(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, one));
    try {
      if (kept.length > 0) await postponeOrphans(db, kept, TRY_AGAIN_MS);
      if (removed.length > 0) await forgetOrphans(db, removed);
    } catch (error) {
      // They stay claimed and due: the next sweep finds nothing to remove and forgets them.
      log.warn("strays_not_forgotten", { objects: objectKeys.length, error: String(error) });
    }
    return removed.length;
  }

  return {
    remove,
    async run() {
      let removed = 0;
      for (let batch = 0; batch < MOST_BATCHES; batch++) {
        const due = await claimDueOrphans(db, BATCH);
        removed += await remove(due);
        if (due.length < BATCH) break;
      }
      if (removed > 0) log.info("strays_swept", { objects: removed });
      return removed;
    },
  };
}
