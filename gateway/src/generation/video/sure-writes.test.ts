import { beforeEach, describe, expect, test } from "bun:test";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { LeaseLost, type VideoJob, type VideoJobs } from "./job.ts";
import { sureWrites } from "./sure-writes.ts";

const JOB = { requestId: "one" } as VideoJob;
const away = new Error("away");

let nowMs: number;
let tries: number;
let stopping: AbortController;
let told: unknown[];
beforeEach(() => {
  nowMs = 0;
  tries = 0;
  told = [];
  stopping = new AbortController();
});

async function pause(ms: number): Promise<void> {
  nowMs += ms;
}

type Write = "dropIntent" | "saveOperation";

/** A write that fails once per error. */
function write(name: Write, errorAt: (tries: number) => Error | null): Promise<void> {
  const failing = async () => {
    const error = errorAt(++tries);
    if (error !== null) throw error;
  };
  const jobs = { [name]: failing } as unknown as VideoJobs;
  const log: Log = { ...silentLog, warn: (event, fields) => void told.push([event, fields]) };
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs };
  const writes = sureWrites(jobs, { signal: stopping.signal, log, clock, pause });
  return name === "dropIntent" ? writes.dropIntent(JOB) : writes.saveOperation(JOB, { id: "operation" });
}
const dropIntent = (errorAt: (tries: number) => Error | null) => write("dropIntent", errorAt);
const saveOperation = (errorAt: (tries: number) => Error | null) => write("saveOperation", errorAt);

describe("a write of a step", () => {
  test("that fails is retried for 25 to 30 seconds, and logged once", async () => {
    await expect(dropIntent(() => away)).rejects.toBe(away);
    expect(nowMs).toBeWithin(25_000, 30_001);
    expect(told).toEqual([["video_write_retried", { request_id: "one", error: "Error: away" }]]);
  });

  test("is retried that long from its first failure, however late that came", async () => {
    await dropIntent((tries) => {
      if (tries === 1) nowMs += 35_000;
      return tries < 10 ? away : null;
    });
    expect(tries).toBe(10);
  });

  test("is not retried if its lease was lost", async () => {
    const lost = new LeaseLost("one");
    await expect(dropIntent((tries) => (tries === 1 ? away : lost))).rejects.toBe(lost);
    expect(tries).toBe(2);
  });

  test("is tried only once during shutdown", async () => {
    stopping.abort();
    await expect(dropIntent(() => away)).rejects.toBe(away);
    expect([tries, told]).toEqual([1, []]);
  });

  test("that saves a provider's operation is retried until it succeeds, loses its lease or is stopped", async () => {
    await saveOperation(() => (nowMs < 300_000 ? away : null));
    expect(told).toHaveLength(1);
    const lost = new LeaseLost("one");
    await expect(saveOperation(() => (nowMs < 600_000 ? away : lost))).rejects.toBe(lost);
    await expect(
      saveOperation(() => {
        if (nowMs > 900_000) stopping.abort();
        return away;
      }),
    ).rejects.toBe(away);
  });
});
