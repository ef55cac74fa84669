import type { Database } from "../db/index.ts";
import type { AdvanceVideo, VideoJob } from "../generation/index.ts";
import { atMost, MINUTE_MS, mayTake, Stopped } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import {
  claimVideoJobs,
  countVideoJobs,
  type PassedOver,
  providerOf,
  renewVideoLeases,
} from "./video-store.ts";
import { startWakeUps } from "./wake-ups.ts";

/** The organization a step works for and the provider it waits for; the limits apply per each. */
type PlaceHolder = { readonly orgId: string; readonly provider: string };

/** A step mostly waits, but may hold a whole video in memory while storing it. */
const MAX_AT_ONCE = 12;
/**
 * At most half of the places for one organization and two thirds for one provider, so that neither can block the
 * others.
 */
const PER_LEFT = { ofOrganization: 1, ofProvider: 2 } as const;

/**
 * Organizations and providers at their limit, whose jobs must wait for one of their steps to end. Null if all places
 * are taken.
 */
function passedOver(running: readonly PlaceHolder[]): PassedOver | null {
  const taken = running.length;
  if (taken >= MAX_AT_ONCE) return null;
  const atTheirLimit = (names: readonly string[], perLeft: number) =>
    [...countOf(names)]
      .filter(([, own]) => !mayTake({ most: MAX_AT_ONCE, taken, own, perLeft }, 1))
      .map(([name]) => name);
  return {
    orgIds: atTheirLimit(
      running.map(({ orgId }) => orgId),
      PER_LEFT.ofOrganization,
    ),
    providers: atTheirLimit(
      running.map(({ provider }) => provider),
      PER_LEFT.ofProvider,
    ),
  };
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export type VideoWorker = {
  /** Something may be due: checks at once instead of at the next tick. */
  wake(): void;
  /** Steps in progress in this process. */
  readonly running: number;
  /** Claims no more jobs and waits for the running steps; the lease of a job that is abandoned expires by itself. */
  stop(): Promise<void>;
};

export type WorkerPace = {
  /** How often to query for due jobs if none is known to be due; a cheap index lookup. */
  readonly idleMs: number;
  readonly leaseMs: number;
  readonly renewMs: number;
  /** A step that takes longer is stuck, and its job is claimed again. Long enough to fetch and store a long video. */
  readonly maxStepMs: number;
  readonly countMs: number;
  /** On a stop, how long to wait for a poll or a download; another node continues it. */
  readonly stopWaitMs: number;
  /**
   * On a stop, how long to wait for an order being sent to a provider: if cut off, nobody could tell whether it was
   * accepted.
   */
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

/** Runs the steps of video jobs, a few at once, on every worker node; each job runs on one node at a time. */
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
  /** True if jobs may have been skipped for lack of a place. */
  let othersWait = false;
  let isStopped = false;
  let leasesKeptMs = performance.now();
  const jobs = metrics.gauge("bursar_video_jobs", "Unfinished video jobs of all nodes, by state.", {
    labels: ["state"],
    isShared: true,
  });
  metrics.gauge("bursar_video_steps_running", "Video job steps running on this node.").read(() => steps.size);

  /** Claims one job at a time: which organizations and providers have room depends on every step started so far. */
  async function claim(): Promise<void> {
    try {
      // After an outage, the leases of our own running jobs may have expired too. Claiming such a job again could lose
      // one that a provider has accepted, so the leases are renewed first.
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
      if (othersWait) wakeUps.atOnce();
    });
    const step: Step = { job, startedMs: performance.now(), controller, done };
    steps.add(step);
  }

  async function run(job: VideoJob, signal: AbortSignal): Promise<void> {
    try {
      const { againInMs } = await advance(job, signal);
      if (againInMs !== null) wakeUps.after(againInMs);
    } catch (error) {
      // Its lease expires by itself, and the job is resumed from its row.
      log.warn("video_step_lost", { request_id: job.requestId, error: String(error) });
    }
  }

  /** Lets the lease expire. Once the job is claimed again, nothing that this step still does can be written. */
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
      // The next count will do; a database outage is reported elsewhere.
    }
  }

  /** Waits up to `ms` for these to end by themselves, then aborts them. */
  async function endWithin(ms: number, ending: readonly Step[]): Promise<void> {
    await atMost(Promise.all(ending.map(({ done }) => done)), ms);
    for (const step of ending) if (steps.has(step)) step.controller.abort(new Stopped("shutdown"));
  }

  const renewal = setInterval(() => void renew(), pace.renewMs);
  const counting = setInterval(() => void count(), pace.countMs);
  renewal.unref();
  counting.unref();
  const wakeUps = startWakeUps(claim, pace.idleMs);

  return {
    wake: () => wakeUps.atOnce(),
    get running() {
      return steps.size;
    },
    async stop() {
      isStopped = true;
      await wakeUps.stop();
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

/** True while the job is being submitted to its provider. */
function handsOver({ job }: Step): boolean {
  return job.operation === null;
}

/** Also aborts steps whose job another worker has claimed. */
async function renewLeases(db: Database, steps: readonly Step[], leaseMs: number): Promise<void> {
  // Leases of aborted steps are not renewed, so that others can claim their jobs, even if a step is slow to end.
  const held = steps.filter(({ controller }) => !controller.signal.aborted);
  if (held.length === 0) return;
  const jobs = held.map((step) => step.job);
  const own = await renewVideoLeases(db, jobs, leaseMs);
  for (const { job, controller } of held) {
    if (!own.has(job.lease)) controller.abort(new Stopped("lease_lost"));
  }
}
