import type { Database } from "../db/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { whileAlone } from "./store.ts";

/** Something every node does from time to time, one node at a time. Must be safe to repeat and to kill. */
export type ScheduledTask = {
  readonly name: string;
  /** Its advisory lock; never reused for another task. */
  readonly lockId: number;
  readonly everyMs: number;
  run(): Promise<void>;
};

export type Schedule = {
  /** Runs what is due once; for the end of a start. */
  runOnce(): Promise<void>;
  /** Starts no more runs and waits for the one under way. */
  stop(): Promise<void>;
};

/** A task that keeps failing is tried at this pace at the most. */
const RETRY_MS = 5_000;

export function startSchedule(input: {
  db: Database;
  log: Log;
  metrics: Metrics;
  tasks: readonly ScheduledTask[];
}): Schedule {
  const { db, log } = input;
  const failures = input.metrics.counter("bursar_scheduled_failures_total", "Failed scheduled runs.", [
    "task",
  ]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  async function attempt(task: ScheduledTask): Promise<number> {
    try {
      await whileAlone(db, task.lockId, () => task.run());
      return task.everyMs;
    } catch (error) {
      failures.bind({ task: task.name }).inc();
      log.warn("scheduled_task_failed", { task: task.name, error: String(error) });
      return Math.max(RETRY_MS, Math.min(task.everyMs, RETRY_MS * 12));
    }
  }

  function plan(task: ScheduledTask, inMs: number): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      const run = attempt(task).then((nextMs) => {
        underWay.delete(run);
        plan(task, nextMs);
      });
      underWay.add(run);
    }, inMs);
    timer.unref();
    timers.set(task.name, timer);
  }

  for (const task of input.tasks) plan(task, task.everyMs);

  return {
    async runOnce() {
      for (const task of input.tasks) await attempt(task);
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
