import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test";
import { connectDatabase } from "../db/index.ts";
import { createTestDatabase } from "../db/testing.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { type Schedule, type ScheduledTask, startSchedule } from "./schedule.ts";

const database = await createTestDatabase();
const schedules: Schedule[] = [];
afterEach(async () => {
  await Promise.all(schedules.splice(0).map((schedule) => schedule.stop()));
});
afterAll(() => database.drop());

const HOURLY_MS = 3_600_000;
const PACE = { firstMs: HOURLY_MS, retryMs: 1, stopWaitMs: 1_000, mostAtOnce: 6, turnWaitMs: 10_000 };

function schedule(task: Partial<ScheduledTask>, pace = PACE, db = database.db) {
  const metrics = createMetrics();
  const started = startSchedule({
    db,
    log: silentLog,
    metrics,
    tasks: [{ name: "task", lockId: 900, everyMs: HOURLY_MS, run: async () => {}, ...task }],
    pace,
  });
  schedules.push(started);
  return { ...started, metrics };
}

/** Work that goes on until the test releases it, and how often it ran. */
function gatedWork() {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const work = {
    runs: 0,
    begun: begun.promise,
    over: gate.promise,
    letGo: gate.resolve,
    async run() {
      work.runs++;
      begun.resolve();
      await gate.promise;
    },
  };
  return work;
}

describe("schedule: one node at a time", () => {
  test("while one node runs a task others skip it, and afterwards they can run it", async () => {
    const work = gatedWork();
    const [one, two] = [schedule(work), schedule(work)];
    const first = one.runOnce();
    await work.begun;
    await two.runOnce();
    expect(work.runs).toBe(1);
    work.letGo();
    await first;
    expect(one.metrics.render()).toContain('bursar_scheduled_runs_total{task="task"} 1');
    expect(two.metrics.render()).toContain('bursar_scheduled_runs_total{task="task"} 0');
    await two.runOnce();
    expect(work.runs).toBe(2);
  });

  test("tasks do not wait for each other", async () => {
    const work = gatedWork();
    const first = schedule(work).runOnce();
    await work.begun;
    const ran: string[] = [];
    await schedule({ lockId: 901, run: async () => void ran.push("it") }).runOnce();
    expect(ran).toEqual(["it"]);
    work.letGo();
    await first;
  });

  test("a node that loses its connection during a task survives, and the task can run again", async () => {
    const link = connectDatabase({ url: database.db.url, poolSize: 1, log: silentLog });
    const work = gatedWork();
    const first = schedule(work, PACE, link).runOnce();
    await work.begun;
    await database.db.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 900 and objsubid = 2",
    );
    work.letGo();
    await first;
    const ran: string[] = [];
    await schedule({ run: async () => void ran.push("it") }, PACE, link).runOnce();
    expect(ran).toEqual(["it"]);
    await link.close();
  });
});

describe("schedule: the first run", () => {
  const SECOND_MS = 1_000;

  /** How long a schedule at its usual pace waits for the first run of such a task. */
  function firstWaitOf(task: Pick<ScheduledTask, "everyMs" | "firstAfterMs">): number {
    const timers = spyOn(globalThis, "setTimeout");
    try {
      const parts = { db: database.db, log: silentLog, metrics: createMetrics() };
      const tasks = [{ name: "task", lockId: 900, run: async () => {}, ...task }];
      schedules.push(startSchedule({ ...parts, tasks }));
      return timers.mock.calls[0]?.[1] ?? Number.NaN;
    } finally {
      timers.mockRestore();
    }
  }

  test("of an hourly task comes after firstMs, not after an hour", async () => {
    const ran = Promise.withResolvers<void>();
    schedule({ run: async () => ran.resolve() }, { ...PACE, firstMs: 1 });
    await ran.promise;
  });

  test("comes 30 to 60 seconds after a start, spread over nodes", () => {
    const waits = Array.from({ length: 20 }, () => firstWaitOf({ everyMs: HOURLY_MS }));
    for (const waitMs of waits) {
      expect(waitMs).toBeGreaterThanOrEqual(30 * SECOND_MS);
      expect(waitMs).toBeLessThan(60 * SECOND_MS);
    }
    expect(new Set(waits).size).toBeGreaterThan(1);
  });

  test("of a more frequent task comes after its interval", () => {
    expect(firstWaitOf({ everyMs: 2 * SECOND_MS })).toBe(2 * SECOND_MS);
  });

  test("of a task with firstAfterMs comes later, but not later than its interval", () => {
    const waitMs = firstWaitOf({ everyMs: HOURLY_MS, firstAfterMs: 600 * SECOND_MS });
    expect(waitMs).toBeGreaterThanOrEqual(600 * SECOND_MS);
    expect(waitMs).toBeLessThan(1_200 * SECOND_MS);
    expect(firstWaitOf({ everyMs: SECOND_MS, firstAfterMs: 600 * SECOND_MS })).toBe(SECOND_MS);
  });
});

test("many tasks due together all get the connections that they need", async () => {
  const count = 13;
  const all = Promise.withResolvers<void>();
  const failed: unknown[] = [];
  let ran = 0;
  const started = startSchedule({
    db: database.db,
    log: { ...silentLog, warn: (...line) => void failed.push(line) },
    metrics: createMetrics(),
    tasks: Array.from({ length: count }, (_, index) => ({
      name: `task${index}`,
      lockId: 910 + index,
      everyMs: 1,
      async run() {
        // Each holds its lock long enough for all others that can to get theirs.
        await Bun.sleep(10);
        await database.db.pool.query("select 1");
        if (++ran === count * 2) all.resolve();
      },
    })),
    pace: PACE,
  });
  schedules.push(started);
  await all.promise;
  expect(failed).toEqual([]);
});

test("a task that waits too long for its turn counts as failed and is tried again", async () => {
  const work = gatedWork();
  const ran = Promise.withResolvers<void>();
  const metrics = createMetrics();
  const started = startSchedule({
    db: database.db,
    log: { ...silentLog, warn: () => work.letGo() },
    metrics,
    tasks: [
      { name: "long", lockId: 926, everyMs: 1, run: work.run },
      { name: "late", lockId: 927, everyMs: 1, run: async () => ran.resolve() },
    ],
    pace: { ...PACE, mostAtOnce: 1, turnWaitMs: 1 },
  });
  schedules.push(started);
  await ran.promise;
  expect(metrics.render()).toMatch(/bursar_scheduled_failures_total\{task="late"\} [1-9]/);
});

test("a task that waits for its turn does not start once the schedule has stopped", async () => {
  const work = gatedWork();
  const tasks = Array.from({ length: 5 }, (_, index) => ({
    name: `task${index}`,
    lockId: 930 + index,
    everyMs: 1,
    run: work.run,
  }));
  const parts = { db: database.db, log: silentLog, metrics: createMetrics() };
  const started = startSchedule({ ...parts, tasks, pace: { ...PACE, stopWaitMs: 10, mostAtOnce: 2 } });
  while (work.runs < 2) await Bun.sleep(1);
  await started.stop();
  work.letGo();
  await Bun.sleep(20);
  expect(work.runs).toBe(2);
});

describe("schedule: failures", () => {
  test("are counted from zero, so that a rate shows the first one", () => {
    const { metrics } = schedule({});
    expect(metrics.render()).toContain('bursar_scheduled_failures_total{task="task"} 0');
  });

  test("are counted, and the task is tried again", async () => {
    const done = Promise.withResolvers<void>();
    let runs = 0;
    const { metrics } = schedule({
      everyMs: 1,
      async run() {
        if (++runs <= 2) throw new Error("not yet");
        done.resolve();
      },
    });
    await done.promise;
    expect(metrics.render()).toContain('bursar_scheduled_failures_total{task="task"} 2');
  });

  test("do not keep other tasks from running", async () => {
    const ran: string[] = [];
    const started = startSchedule({
      db: database.db,
      log: silentLog,
      metrics: createMetrics(),
      tasks: [
        { name: "bad", lockId: 902, everyMs: HOURLY_MS, run: () => Promise.reject(new Error("bad")) },
        { name: "good", lockId: 903, everyMs: HOURLY_MS, run: async () => void ran.push("it") },
      ],
    });
    schedules.push(started);
    await started.runOnce();
    expect(ran).toEqual(["it"]);
  });
});

describe("schedule: stop", () => {
  test("waits for a running task and starts no more", async () => {
    const work = gatedWork();
    const { stop } = schedule({ ...work, everyMs: 1, run: work.run });
    await work.begun;
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await Bun.sleep(5);
    expect(isStopped).toBe(false);
    work.letGo();
    await stopping;
    await Bun.sleep(10);
    expect(work.runs).toBe(1);
  });

  test("does not wait longer than stopWaitMs", async () => {
    const work = gatedWork();
    const { stop } = schedule({ everyMs: 1, run: work.run }, { ...PACE, stopWaitMs: 10 });
    await work.begun;
    let isOver = false;
    const gated = work.over.then(() => {
      isOver = true;
    });
    await stop();
    expect([work.runs, isOver]).toEqual([1, false]);
    work.letGo();
    await gated;
  });
});
