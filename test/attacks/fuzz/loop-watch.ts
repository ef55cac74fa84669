import { existsSync, readFileSync } from "node:fs";

/** Longer than this nobody may keep the others from being answered. */
export const MOST_BLOCKED_MS = 250;

type LoopWatch = {
  /** The longest stretch of work without a pause so far, in milliseconds of this thread's own time. */
  readonly longestMs: number;
  stop(): void;
};

const SCHEDSTAT = "/proc/thread-self/schedstat";
const LOOK_EVERY_MS = 10;

/**
 * Time on a processor: on a machine that others keep busy a loop stands still through no fault of its own. Where the
 * system does not tell it for one thread it is that of the whole process, which is never less.
 */
export function busyMs(): number {
  if (existsSync(SCHEDSTAT)) return Number(readFileSync(SCHEDSTAT, "latin1").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export function watchLoop(): LoopWatch {
  let lookedMs = busyMs();
  let longestMs = 0;
  function look(): void {
    const nowMs = busyMs();
    longestMs = Math.max(longestMs, nowMs - lookedMs);
    lookedMs = nowMs;
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    get longestMs() {
      return longestMs;
    },
    stop() {
      look();
      clearInterval(timer);
    },
  };
}
