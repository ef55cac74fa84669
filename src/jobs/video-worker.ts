import type { Database } from "../db/index.ts";
import type { AdvanceVideo, VideoJob } from "../generation/index.ts";
import { atMost, MINUTE_MS, Stopped } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { passedOver } from "./step-places.ts";
import { claimVideoJobs, countVideoJobs, providerOf, renewVideoLeases } from "./video-store.ts";

export type VideoWorker = {
  /** Something may be due: looked at once, not at the next tick. */
  wake(): void;
  /** Steps under way in this process. */
  readonly running: number;
  /** Takes nothing more up and waits for its steps; the lease of a job that is left ends by itself. */
  stop(): Promise<void>;
};

export type WorkerPace = {
  /** With nothing known to be due, one look at an index so often. */
  readonly idleMs: number;
  readonly leaseMs: number;
  readonly renewMs: number;
  /** A step that takes longer has lost its way; its job is taken up anew. Enough to fetch and store a long video. */
  readonly maxStepMs: number;
  readonly countMs: number;
  /** On a stop, for a look or a fetch: another node goes on with it. */
  readonly stopWaitMs: number;
  /** On a stop, for an order that is on its way to a provider: cut off, nobody could tell whether it was taken. */
  readonly handOverWaitMs: number;
};

const PACE: WorkerPace = {
  idleMs: 1_000,
  leaseMs: 30_000,
  renewMs: 5_000,
  maxStepMs: 10 * MINUTE_MS,
  countMs: 15_000,
  stopWaitMs: 10_000,
  handOverWaitMs: 30_000,
};
const STATES = ["queued", "starting", "running", "storing"] as const;

type Step = {
  readonly job: VideoJob;
  readonly startedMs: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
};

/** Runs the steps of video jobs, a few at once, on every node that works; each job is one node's at a time. */
export function startVideoWorker(input: {
  db: Database;
  advance: AdvanceVideo;
  log: Log;
  metrics: Metrics;
  pace?: Partial<WorkerPace>;
}): VideoWorker {
  const { db, advance, log, metrics } = input;
  const pace = { ...PACE, ...input.pace };
  const steps = new Set<Step>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let claiming: Promise<void> | null = null;
  let hasMore = false;
  /** Some may have been left alone for want of a place. */
  let othersWait = false;
  let isStopped = false;
  let leasesKeptMs = performance.now();
  const jobs = metrics.gauge("bursar_video_jobs", "Video jobs that have not ended, by state.", {
    labels: ["state"],
    isShared: true,
  });
  metrics.gauge("bursar_video_steps_running", "Steps of video jobs under way here.").read(() => steps.size);

  /** The earliest wish wins. */
  function plan(inMs: number): void {
    const atMs = performance.now() + inMs;
    if (isStopped || atMs >= wakesAtMs) return;
    if (timer !== null) clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(() => {
      wakesAtMs = Number.POSITIVE_INFINITY;
      hasMore = claiming !== null;
      claiming ??= claim().finally(() => {
        claiming = null;
        // Whatever came while the claim was under way may have come too late for it.
        plan(hasMore ? 0 : pace.idleMs);
      });
    }, inMs);
    timer.unref();
  }

  /** One by one: whom the next one may be for depends on all that run by then. */
  async function claim(): Promise<void> {
    try {
      // After an outage what runs here is due as well: taken up once more, a job that a provider has would be lost.
      if (performance.now() - leasesKeptMs > pace.leaseMs / 2) await keepLeases();
      for (;;) {
        const passOver = passedOver([...steps].map(({ job }) => ({ ...job, provider: providerOf(job) })));
        othersWait = passOver === null || passOver.orgIds.length + passOver.providers.length > 0;
        if (passOver === null || isStopped) return;
        const [job] = await claimVideoJobs(db, { limit: 1, leaseMs: pace.leaseMs, passOver });
        if (job === undefined) return;
        start(job);
      }
    } catch (error) {
      log.warn("video_claim_failed", { error: String(error) });
    }
  }

  function start(job: VideoJob): void {
    const controller = new AbortController();
    const done = run(job, controller.signal).finally(() => {
      steps.delete(step);
      if (othersWait) plan(0);
    });
    const step: Step = { job, startedMs: performance.now(), controller, done };
    steps.add(step);
  }

  async function run(job: VideoJob, signal: AbortSignal): Promise<void> {
    try {
      const { againInMs } = await advance(job, signal);
      if (againInMs !== null) plan(againInMs);
    } catch (error) {
      // Its lease ends by itself, and the job is taken up again from its row.
      log.warn("video_step_lost", { request_id: job.requestId, error: String(error) });
    }
  }

  /** Its lease is left to end, and whatever it still does is written by nobody. */
  function giveUp(step: Step): void {
    steps.delete(step);
    step.controller.abort(new Stopped("deadline"));
    log.error("video_step_given_up", { request_id: step.job.requestId });
  }

  async function renew(): Promise<void> {
    const latestMs = performance.now() - pace.maxStepMs;
    for (const step of steps) if (step.startedMs < latestMs) giveUp(step);
    try {
      await keepLeases();
    } catch (error) {
      log.warn("video_renewal_failed", { error: String(error) });
    }
  }

  async function keepLeases(): Promise<void> {
    const startedMs = performance.now();
    await renewLeases(db, [...steps], pace.leaseMs);
    leasesKeptMs = startedMs;
  }

  async function count(): Promise<void> {
    try {
      const counts = await countVideoJobs(db);
      for (const state of STATES) jobs.bind({ state }).set(counts.get(state) ?? 0);
    } catch {
      // The next count tells; a database that is away is said elsewhere.
    }
  }

  /** Lets these end by themselves for so long, and cuts them then. */
  async function endWithin(ms: number, ending: readonly Step[]): Promise<void> {
    await atMost(Promise.all(ending.map(({ done }) => done)), ms);
    for (const step of ending) if (steps.has(step)) step.controller.abort(new Stopped("shutdown"));
  }

  const renewal = setInterval(() => void renew(), pace.renewMs);
  const counting = setInterval(() => void count(), pace.countMs);
  renewal.unref();
  counting.unref();
  plan(0);

  return {
    wake: () => plan(0),
    get running() {
      return steps.size;
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await claiming;
      const running = [...steps];
      await Promise.all([
        endWithin(
          pace.stopWaitMs,
          running.filter((step) => !handsOver(step)),
        ),
        endWithin(Math.max(pace.stopWaitMs, pace.handOverWaitMs), running.filter(handsOver)),
      ]);
      clearInterval(renewal);
      clearInterval(counting);
    },
  };
}

/** Whether its provider is being asked to take the job. */
function handsOver({ job }: Step): boolean {
  return job.operation === null;
}

/** Stops those whose job is somebody else's by now. */
async function renewLeases(db: Database, steps: readonly Step[], leaseMs: number): Promise<void> {
  // Others are to take up what was cut, though it may be slow to end.
  const held = steps.filter(({ controller }) => !controller.signal.aborted);
  if (held.length === 0) return;
  const jobs = held.map((step) => step.job);
  const own = await renewVideoLeases(db, jobs, leaseMs);
  for (const { job, controller } of held) {
    if (!own.has(job.lease)) controller.abort(new Stopped("lease_lost"));
  }
}
