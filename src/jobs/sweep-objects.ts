import type { Library } from "../assets/index.ts";
import { MINUTE_MS } from "../kit/index.ts";
import { LOCK_IDS } from "./lock-ids.ts";
import type { ScheduledTask } from "./schedule.ts";

const EVERY_MS = 5 * MINUTE_MS;

/** Removes objects that nobody published in time, and what a deletion could not remove at once. */
export function sweepObjectsTask(library: Pick<Library, "sweep">): ScheduledTask {
  return {
    name: "sweep_objects",
    lockId: LOCK_IDS.sweep_objects,
    everyMs: EVERY_MS,
    async run() {
      await library.sweep();
    },
  };
}
