import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { type SupervisedWorker, superviseWorker } from "./supervised-worker.ts";
import type { createMetricsExchange } from "./worker-metrics.ts";

const QUESTIONS = 100;
/** A worker that sends its pid when it is ready, and again after it was asked often. */
const WORKER = `
  import { answerParent } from ${JSON.stringify(join(import.meta.dir, "worker-presence.ts"))};
  answerParent();
  process.on("SIGTERM", () => process.exit(0));
  let asked = 0;
  process.on("message", () => ++asked === ${QUESTIONS} && process.send({ pid: process.pid }));
  process.send("ready");
  process.send({ pid: process.pid });
`;

const workers: SupervisedWorker[] = [];
const paused = new Set<number>();
afterEach(async () => {
  for (const pid of paused) resume(pid);
  paused.clear();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

type Options = { mostMissed?: number; stopWithinMs?: number; command?: readonly string[] };

function supervise(options: Options = {}) {
  const { mostMissed = 1_000_000, stopWithinMs = 60_000 } = options;
  const { command = [process.execPath, "-e", WORKER] } = options;
  const pids: number[] = [];
  const told: string[] = [];
  const log: Log = { ...silentLog, error: (event) => void told.push(event) };
  const exchange = {
    received: (_from: unknown, message: unknown) => void pids.push((message as { pid: number }).pid),
    ended() {},
  } as ReturnType<typeof createMetricsExchange>;
  const worker = superviseWorker({
    isPrepared: () => false,
    command,
    index: 0,
    log,
    exchange,
    stopWithinMs,
    pace: { askMs: 5, mostMissed, firstRestartMs: 1 },
  });
  workers.push(worker);
  return { worker, pids, told };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    if (looks >= 1_000) throw new Error("it does not come about");
    await Bun.sleep(10);
  }
}

/** From now on the process does nothing, not even on a signal to stop. */
function pause(pid = 0): void {
  paused.add(pid);
  process.kill(pid, "SIGSTOP");
}

function resume(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended, as it should.
  }
}

describe("a worker that hangs", () => {
  test("is killed and replaced", async () => {
    const { pids, told } = supervise({ mostMissed: QUESTIONS / 2 });
    await until(() => pids.length === 1);
    pause(pids[0]);
    await until(() => pids.length === 2);
    expect(pids[1]).not.toBe(pids[0]);
    expect(told.slice(0, 2)).toEqual(["worker_hangs", "worker_ended"]);
  });

  test("does not keep its parent from stopping", async () => {
    const { worker, pids, told } = supervise({ stopWithinMs: 20 });
    await until(() => pids.length === 1);
    pause(pids[0]);
    await worker.stop();
    expect(told).toEqual(["worker_not_stopped"]);
  });
});

test("a worker that answers is not replaced, however often it is asked", async () => {
  const { pids, told } = supervise({ mostMissed: QUESTIONS - 10 });
  await until(() => pids.length === 2);
  expect([pids[1], told]).toEqual([Number(pids[0]), []]);
});

describe("a worker that cannot be started", () => {
  test("ends the start if it is the first time", async () => {
    const { worker, told } = supervise({ command: [join(tmpdir(), "bursar-missing-program")] });
    expect(await worker.neverReady).toBe(1);
    expect(told).toEqual(["worker_ended"]);
  });

  test("later is tried again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bursar-worker-"));
    const program = join(folder, "program");
    const write = () => symlinkSync(process.execPath, program);
    write();
    const { pids, told } = supervise({ command: [program, "-e", WORKER] });
    await until(() => pids.length === 1);
    rmSync(program);
    process.kill(pids[0] ?? 0);
    await until(() => told.length > 1);
    write();
    await until(() => pids.length === 2);
    rmSync(folder, { recursive: true });
    expect(new Set(told)).toEqual(new Set(["worker_ended"]));
  });
});
