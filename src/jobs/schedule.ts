import type { Database } from "../db/index.ts";
import { atMost, createGate } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { whileAlone } from "./store.ts";

/** Something every node does from time to time, one node at a time. Must be safe to repeat and to kill. */
export type ScheduledTask = {
  readonly name: string;
  /** Its advisory lock, of `LOCK_IDS`. */
  readonly lockId: number;
  readonly everyMs: number;
  /** For one that a start should not have to bear: its first run comes no sooner. */
  readonly firstAfterMs?: number;
  run(): Promise<unknown>;
};

export type Schedule = {
  /** Runs every task once and in turn, due or not, without its timers; for tests. */
  runOnce(): Promise<void>;
  /** Starts no more runs and waits for those under way, but not for long: every task is safe to kill. */
  stop(): Promise<void>;
};

/** How much the schedule does at once, and how patient it is with what goes wrong. */
type SchedulePace = {
  /** Until a first run, at least; at most twice that, so that nodes that start together do not run together. */
  readonly firstMs: number;
  /** A task that keeps failing is tried at this pace at the most. */
  readonly retryMs: number;
  /** For what is under way at the end. An audit may run for minutes, and a process told to stop has none. */
  readonly stopWaitMs: number;
  /** Each that runs has a connection of the pool for its lock, while its work needs another one. */
  readonly mostAtOnce: number;
  /** For a turn. Who gets none for so long has failed, and is counted as such. */
  readonly turnWaitMs: number;
};

/** Fewer than the smallest pool has connections, and more than there are tasks that wait for somebody else's server. */
const PACE: SchedulePace = {
  firstMs: 30_000,
  retryMs: 5_000,
  stopWaitMs: 5_000,
  mostAtOnce: 6,
  turnWaitMs: 60_000,
};

export function startSchedule(input: {
  db: Database;
  log: Log;
  metrics: Metrics;
  tasks: readonly ScheduledTask[];
  pace?: SchedulePace;
}): Schedule {
  const { db, log, pace = PACE } = input;
  const failures = input.metrics.counter("bursar_scheduled_failures_total", "Failed scheduled runs.", [
    "task",
  ]);
  const runs = input.metrics.counter("bursar_scheduled_runs_total", "Scheduled runs that were completed.", [
    "task",
  ]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const underWay = new Set<Promise<void>>();
  const turns = createGate({
    slots: pace.mostAtOnce,
    maxWaiting: input.tasks.length,
    maxWaitMs: pace.turnWaitMs,
  });
  let stopped = false;

  async function runInTurn(task: ScheduledTask): Promise<boolean> {
    const leave = await turns.enter();
    try {
      if (stopped) return false;
      const ran = await whileAlone(db, task.lockId, async () => {
        await task.run();
        return true;
      });
      return ran === true;
    } finally {
      leave();
    }
  }

  async function attempt(task: ScheduledTask): Promise<number> {
    try {
      if (await runInTurn(task)) runs.bind({ task: task.name }).inc();
      return task.everyMs;
    } catch (error) {
      failures.bind({ task: task.name }).inc();
      log.warn("scheduled_task_failed", { task: task.name, error: String(error) });
      return Math.max(pace.retryMs, Math.min(task.everyMs, pace.retryMs * 12));
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

  for (const task of input.tasks) {
    // Counted from zero: a series that is born at its first failure shows no rate, and alarms watch the rate.
    failures.bind({ task: task.name });
    runs.bind({ task: task.name });
    plan(task, firstWaitMs(task, pace));
  }

  return {
    async runOnce() {
      for (const task of input.tasks) await attempt(task);
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await atMost(Promise.all(underWay), pace.stopWaitMs);
    },
  };
}

/** Not a whole interval: nodes that are started anew more often than that would never do what is due every hour. */
function firstWaitMs({ everyMs, firstAfterMs }: ScheduledTask, { firstMs }: SchedulePace): number {
  return Math.min(everyMs, (firstAfterMs ?? firstMs) * (1 + Math.random()));
}
