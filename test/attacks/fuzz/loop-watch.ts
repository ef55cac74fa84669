import { existsSync, readFileSync } from "node:fs";

/** The longest that one piece of work may block the event loop, and with it all other requests. */
export const MOST_BLOCKED_MS = 250;

type LoopWatch = {
  /** The longest uninterrupted stretch of work so far, in milliseconds of this thread's own CPU time. */
  readonly longestMs: number;
  stop(): void;
};

const SCHEDSTAT = "/proc/thread-self/schedstat";
const LOOK_EVERY_MS = 10;

/**
 * CPU time rather than elapsed time: on a busy machine, a loop stands still through no fault of its own. Where the
 * system does not report it per thread, it is that of the whole process, which is never less.
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
