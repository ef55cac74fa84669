import type { Library } from "../assets/index.ts";
import type { ScheduledTask } from "./schedule.ts";

const EVERY_MS = 5 * 60_000;

/** Removes objects that nobody published in time, and what a deletion could not remove at once. */
export function sweepObjectsTask(library: Pick<Library, "sweep">): ScheduledTask {
  return {
    name: "sweep_objects",
    lockId: 8,
    everyMs: EVERY_MS,
    async run() {
      await library.sweep();
    },
  };
}
