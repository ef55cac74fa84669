import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { type AdvanceVideo, createAdvanceVideo, type VideoJob, type VideoView } from "../generation/index.ts";
import { armFailpoint, type FailPoint } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { createMetrics } from "../telemetry/index.ts";
import { createVideoStore } from "./video-store.ts";
import { startVideoWorker, type VideoWorker, type WorkerPace } from "./video-worker.ts";

const bench = await openVideoBench({ knowsOurId: true });
const { db, acme, video, callOf } = bench;
afterAll(() => bench.close());

const QUICK: Partial<WorkerPace> = { idleMs: 10, leaseMs: 150, renewMs: 20, countMs: 10, maxStepMs: 60 };
const workers: VideoWorker[] = [];
const disarm: (() => void)[] = [];
beforeEach(() => {
  acme.begun.length = 0;
  acme.states = [videoState()];
});
afterEach(async () => {
  for (const undo of disarm.splice(0)) undo();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  expect((await verifyLedger(db)).faults).toEqual([]);
});

type Wrap = (advance: AdvanceVideo) => AdvanceVideo;

function work(
  pace: Partial<WorkerPace> = QUICK,
  metrics = createMetrics(),
  wrap: Wrap = (advance) => advance,
): VideoWorker {
  const { library, registry, breaker, log } = bench.deps;
  const steps = createAdvanceVideo({ jobs: createVideoStore(db), library, registry, breaker, log, metrics });
  const advance = wrap(steps);
  const worker = startVideoWorker({ db, advance, log, metrics, pace });
  workers.push(worker);
  return worker;
}

async function ended(orgId: string, requestId: string): Promise<VideoView> {
  for (let looks = 0; looks < 500; looks++) {
    const seen = await bench.view(orgId, requestId);
    if (seen.status !== "processing") return seen;
    await Bun.sleep(10);
  }
  throw new Error("the job does not end");
}

test("two workers complete the jobs of many organizations and begin each once", async () => {
  const orgIds = await Promise.all(Array.from({ length: 20 }, () => bench.found(100)));
  const jobs = await Promise.all(orgIds.map((orgId) => video.submit(callOf(orgId))));
  // A lease that even a busy machine keeps: the test is only about what two workers do to each other.
  const patient = { ...QUICK, leaseMs: 60_000, maxStepMs: 60_000 };
  work(patient);
  work(patient);
  const seen = await Promise.all(jobs.map(({ requestId }, i) => ended(orgIds[i] ?? "", requestId)));
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(["complete"]));
  expect(acme.begun.length).toBe(20);
});

const POINTS: readonly FailPoint[] = [
  "before_upstream_send",
  "after_upstream_send",
  "poll_after_fetch",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
];

test.each(POINTS)(
  "a step that hangs at %s is abandoned, and its job completes: one charge, one video",
  async (point) => {
    const orgId = await bench.found(100);
    const { requestId } = await video.submit(callOf(orgId));
    let passed = 0;
    const reached = Promise.withResolvers<void>();
    const hanging = Promise.withResolvers<void>();
    disarm.push(
      armFailpoint(point, () => {
        reached.resolve();
        return ++passed === 1 ? hanging.promise : undefined;
      }),
    );
    const worker = work();
    expect((await ended(orgId, requestId)).status).toBe("complete");
    // The end can be seen in the database before the step that wrote it has gone on.
    await reached.promise;
    // The step that hung returns to a job that is no longer its own.
    hanging.resolve();
    await worker.stop();
    expect(await bench.balance(orgId)).toBe("0+0 80+0");
    expect((await bench.library.list(orgId, { limit: 5, cursor: null }))?.assets.length).toBe(1);
  },
);

test("a step that takes longer than a lease keeps it", async () => {
  const orgId = await bench.found(100);
  const { requestId } = await video.submit(callOf(orgId));
  const slow = Promise.withResolvers<void>();
  disarm.push(armFailpoint("after_upstream_send", () => slow.promise));
  const pace = { ...QUICK, leaseMs: 300, maxStepMs: 60_000 };
  work(pace);
  work(pace);
  for (let looks = 0; looks < 60; looks++) await Bun.sleep(10);
  slow.resolve();
  expect((await ended(orgId, requestId)).status).toBe("complete");
  expect(acme.begun.length).toBe(1);
});

test("a worker does not claim a job that it is working on, although its lease has expired", async () => {
  const orgId = await bench.found(100);
  const { requestId } = await video.submit(callOf(orgId));
  const { hanging, letGo } = workHanging(() => true, { leaseMs: 300, renewMs: 60_000 });
  await until(() => hanging.length > 0);
  for (let looks = 0; looks < 45; looks++) await Bun.sleep(10);
  expect(hanging).toHaveLength(1);
  letGo();
  expect((await ended(orgId, requestId)).status).toBe("complete");
});

test("a worker that stops finishes its step and claims no more", async () => {
  const orgId = await bench.found(100);
  const { requestId } = await video.submit(callOf(orgId));
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  disarm.push(
    armFailpoint("after_upstream_send", () => {
      begun.resolve();
      return slow.promise;
    }),
  );
  const worker = work({ ...QUICK, maxStepMs: 60_000 });
  await begun.promise;
  const stopping = worker.stop();
  slow.resolve();
  await stopping;
  expect(worker.running).toBe(0);
  expect((await bench.view(orgId, requestId)).providerStatus).toBe("starting");
  work();
  expect((await ended(orgId, requestId)).status).toBe("complete");
  expect(acme.begun.length).toBe(1);
});

describe("a worker that stops while its steps hang", () => {
  /**
   * Stops the worker during two jobs, one being polled and one being submitted; returns which were aborted, and the
   * worker.
   */
  async function stopAmidst(pace: Partial<WorkerPace>) {
    const orgId = await bench.found(100);
    const looked = await video.submit(callOf(orgId));
    await bench.pass();
    await bench.database.advanceClock(1_000);
    const handedOver = await video.submit(callOf(orgId));
    const cut = new Set<string>();
    const { hanging, letGo } = workHanging(
      () => true,
      pace,
      (job) => void cut.add(job.requestId),
    );
    await until(() => hanging.length === 2);
    return { orgId, look: looked.requestId, handOver: handedOver.requestId, cut, letGo };
  }

  async function dueAt(requestId: string): Promise<number> {
    const found = await db.pool.query("select due_at from video_jobs where request_id = $1", [requestId]);
    return Number(found.rows[0]?.due_at);
  }

  async function renewed(requestId: string): Promise<void> {
    const before = await dueAt(requestId);
    for (let looks = 0; (await dueAt(requestId)) === before; looks++) {
      if (looks >= 500) throw new Error("its lease is not renewed");
      await Bun.sleep(5);
    }
  }

  test("aborts a poll soon and leaves it to others, but lets a submission end", async () => {
    const { orgId, look, handOver, cut, letGo } = await stopAmidst({
      stopWaitMs: 20,
      handOverWaitMs: 60_000,
    });
    const stopping = workers[0]?.stop();
    await until(() => cut.size > 0);
    // A renewal that was in progress may still name both.
    for (let renewals = 0; renewals < 3; renewals++) await renewed(handOver);
    const left = await dueAt(look);
    await renewed(handOver);
    expect([await dueAt(look), [...cut]]).toEqual([left, [look]]);
    letGo();
    await stopping;
    expect([...cut]).toEqual([look]);
    work();
    expect((await ended(orgId, handOver)).status).toBe("complete");
    expect(acme.begun.map(({ requestId }) => requestId)).toEqual([look, handOver]);
    await ended(orgId, look);
  });

  test("aborts a submission too when its time is up", async () => {
    const { orgId, look, handOver, cut, letGo } = await stopAmidst({ stopWaitMs: 1, handOverWaitMs: 20 });
    await workers[0]?.stop();
    expect([...cut]).toEqual([look, handOver]);
    letGo();
    work();
    await Promise.all([ended(orgId, look), ended(orgId, handOver)]);
  });
});

/** A worker in which the steps of some jobs hang until they are released. */
function workHanging(
  hangs: (job: VideoJob) => boolean,
  pace: Partial<WorkerPace> = {},
  onCut: (job: VideoJob) => void = () => {},
) {
  const hanging: VideoJob[] = [];
  const letGo = Promise.withResolvers<void>();
  disarm.push(letGo.resolve);
  work({ ...QUICK, leaseMs: 60_000, maxStepMs: 60_000, ...pace }, createMetrics(), (advance) => {
    return async (job, signal) => {
      if (hangs(job)) {
        signal.addEventListener("abort", () => onCut(job));
        hanging.push(job);
        await letGo.promise;
      }
      return advance(job, signal);
    };
  });
  return { hanging, letGo: letGo.resolve };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    if (looks >= 500) throw new Error("it does not come about");
    await Bun.sleep(10);
  }
}

test("a check that comes too early for a job does not make the worker forget when the job is due", async () => {
  const orgId = await bench.found(100);
  const { requestId } = await video.submit(callOf(orgId));
  const begun = Promise.withResolvers<void>();
  const noIdleChecks = { ...QUICK, idleMs: 60_000, leaseMs: 60_000, maxStepMs: 60_000 };
  const worker = work(noIdleChecks, createMetrics(), (advance) => async (job, signal) => {
    const result = await advance(job, signal);
    // After the worker has planned the job's next step.
    setTimeout(begun.resolve);
    return result;
  });
  await begun.promise;
  worker.wake();
  expect((await ended(orgId, requestId)).status).toBe("complete");
});

const plan = { ...callOf("").plan, videoJobs: 100 };

test("slow steps of one organization leave room for others", async () => {
  const foe = await bench.found(1_000);
  const slow = await Promise.all(Array.from({ length: 20 }, () => video.submit(callOf(foe, { plan }))));
  const { hanging, letGo } = workHanging(({ orgId }) => orgId === foe);
  await until(() => hanging.length === 6);
  const orgId = await bench.found(100);
  const { requestId } = await video.submit(callOf(orgId));
  expect((await ended(orgId, requestId)).status).toBe("complete");
  expect(hanging.length).toBe(6);
  letGo();
  await Promise.all(slow.map(({ requestId }) => ended(foe, requestId)));
});

test("slow steps at one provider leave room for other providers", async () => {
  const orgIds = await Promise.all(Array.from({ length: 20 }, () => bench.found(100)));
  const slow = await Promise.all(orgIds.map((orgId) => video.submit(callOf(orgId))));
  const { hanging, letGo } = workHanging(({ order }) => order.targets[0]?.provider === "acme");
  await until(() => hanging.length === 8);
  const orgId = await bench.found(100);
  const model = { ...bench.model, targets: [{ provider: "other", model: "n" }] };
  const { requestId } = await video.submit(callOf(orgId, { model }));
  expect((await ended(orgId, requestId)).status).toBe("complete");
  expect(hanging.length).toBe(8);
  letGo();
  await Promise.all(slow.map(({ requestId }, at) => ended(orgIds[at] ?? "", requestId)));
});

test("jobs that have not ended are counted by their state", async () => {
  acme.states = [{ state: "running" }];
  const orgId = await bench.found(100);
  await video.submit(callOf(orgId));
  const metrics = createMetrics();
  work(QUICK, metrics);
  for (let looks = 0; !/bursar_video_jobs\{state="running"\} 1/.test(metrics.render()); looks++) {
    expect(looks).toBeLessThan(500);
    await Bun.sleep(10);
  }
  await bench.pass(2 * 60 * 60_000);
});
