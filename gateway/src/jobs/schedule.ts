import { type Database, loadIsTimeBelieved } from "../db/index.ts";
import { atMost, createGate } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { whileAlone } from "./store.ts";

/** A task that runs on every node from time to time, on one node at a time. Must be safe to repeat and to kill. */
export type ScheduledTask = {
  readonly name: string;
  /** Advisory lock id, from `LOCK_IDS`. */
  readonly lockId: number;
  readonly everyMs: number;
  /** Minimum delay of the first run, for tasks too heavy for the time after a start. */
  readonly firstAfterMs?: number;
  run(): Promise<unknown>;
};

export type Schedule = {
  /** Runs every task once, one after another, due or not; for tests. */
  runOnce(): Promise<void>;
  /** Starts no more runs and waits briefly for those in progress: every task is safe to kill. */
  stop(): Promise<void>;
};

type SchedulePace = {
  /**
   * Minimum delay before a first run. The actual delay is random, up to twice as long, so that nodes started together
   * do not run together. A task with a shorter interval waits only for that.
   */
  readonly firstMs: number;
  /** A failed task is retried after its interval, but no sooner than this and no later than 12 times this. */
  readonly retryMs: number;
  /** How long `stop` waits for running tasks. An audit may take minutes, which a stopping process does not have. */
  readonly stopWaitMs: number;
  /** Most tasks running at once. Each holds a connection of the pool for its lock, while its work needs another. */
  readonly mostAtOnce: number;
  /** How long a task may wait for its turn. After that the run counts as failed. */
  readonly turnWaitMs: number;
};

/**
 * `mostAtOnce` is below the size of the smallest pool, and above the number of tasks that wait for external servers.
 */
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
  const failures = input.metrics.counter("bursar_scheduled_failures_total", "Scheduled runs that failed.", [
    "task",
  ]);
  const runs = input.metrics.counter("bursar_scheduled_runs_total", "Scheduled runs completed.", ["task"]);
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
      if (stopped || !(await loadIsTimeBelieved(db))) return false;
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
    // Create every series at 0: one that first appears with its first failure shows no rate, and alarms watch the rate.
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

/** Not a whole interval: nodes restarted more often than that would never run an hourly task. */
function firstWaitMs({ everyMs, firstAfterMs }: ScheduledTask, { firstMs }: SchedulePace): number {
  return Math.min(everyMs, (firstAfterMs ?? firstMs) * (1 + Math.random()));
}
