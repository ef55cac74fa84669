import { present } from "../../kit/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import { createCallMetrics } from "../paid-call/call-metrics.ts";
import { type BeginDeps, beginVideo, UnservedTarget } from "./begin.ts";
import { endVideo, errorForLog, failedEnd } from "./end.ts";
import { LeaseLost, type VideoJob, type VideoProgress } from "./job.ts";
import { nextPollMs, nextRetryMs } from "./pace.ts";
import { failuresAfterPoll, pollVideo, settleVideo } from "./poll.ts";
import { type Pause, sureWrites } from "./sure-writes.ts";

/** `pause`: waits between two attempts of a write; tests replace it to save time. */
type StepDeps = Omit<BeginDeps, "metrics"> & { readonly metrics: Metrics; readonly pause?: Pause };

/** When the job should be taken up again; null if it has ended, or another worker has it. */
type StepResult = { readonly againInMs: number | null };

export type AdvanceVideo = (job: VideoJob, signal: AbortSignal) => Promise<StepResult>;

/** Gives another node the time to take the job; at its deadline the job fails. */
const UNSERVED_MS = 10_000;
const OVER: StepResult = { againInMs: null };

/**
 * One short step of a job: begin, poll once, store, or settle. Everything it learns is in the job's row before it
 * returns; if the process dies, the next one continues from that row.
 */
export function createAdvanceVideo({ pause, metrics, ...given }: StepDeps): AdvanceVideo {
  const deps = { ...given, metrics: createCallMetrics(metrics) };
  const { jobs, log } = deps;
  return (job, signal) => advanceBy({ ...deps, jobs: sureWrites(jobs, { signal, log, pause }) })(job, signal);
}

function advanceBy(deps: BeginDeps): AdvanceVideo {
  async function step(job: VideoJob, signal: AbortSignal): Promise<StepResult> {
    if (job.isOverdue) return over(endVideo(deps, job, failedEnd("timeout")));
    if (job.draft !== null) return over(settleVideo(deps, job, job.draft));
    if (job.operation !== null) {
      const target = present(job.target, "whom a begun job was given to");
      const polled = await pollVideo(deps, job, { target, operation: job.operation, signal });
      return polled === null ? OVER : rest(job, { looks: job.looks + 1, ...polled });
    }
    const begun = await beginVideo(deps, job, signal);
    if (begun === "ended") return OVER;
    return begun === "begun"
      ? rest(job, { looks: 0, progress: null })
      : retry(job, { failures: job.failures + 1, progress: "queued" });
  }

  async function rest(
    job: VideoJob,
    next: { looks: number; progress: VideoProgress | null; readyInMs?: number | undefined },
  ): Promise<StepResult> {
    const { looks, progress, readyInMs = Number.POSITIVE_INFINITY } = next;
    const inMs = Math.min(nextPollMs(looks), Math.ceil(readyInMs));
    await deps.jobs.giveBack(job, { inMs, looks, failures: 0, progress });
    return { againInMs: inMs };
  }

  async function retry(
    job: VideoJob,
    next: { readonly failures: number; readonly progress: "queued" | null },
  ): Promise<StepResult> {
    const inMs = nextRetryMs(job.failures);
    await deps.jobs.giveBack(job, { inMs, looks: job.looks, ...next });
    return { againInMs: inMs };
  }

  /** Does not count as a failure: otherwise the node that has the provider would soon have no attempt left. */
  async function leaveToOthers(job: VideoJob, { providers, message }: UnservedTarget): Promise<StepResult> {
    const { requestId, looks, failures } = job;
    deps.log.warn("video_provider_missing", {
      request_id: requestId,
      providers: providers.join(", "),
      error: message,
    });
    await deps.jobs.giveBack(job, { inMs: UNSERVED_MS, looks, failures, progress: null });
    return { againInMs: UNSERVED_MS };
  }

  /** Stops without writing if the job has ended meanwhile, or another worker has it. */
  async function unlessLost(job: VideoJob, work: Promise<StepResult>): Promise<StepResult> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      deps.log.warn("video_lease_lost", { request_id: job.requestId });
      return OVER;
    }
  }

  return async (job, signal) => {
    try {
      return await unlessLost(job, step(job, signal));
    } catch (error) {
      if (error instanceof UnservedTarget) return unlessLost(job, leaveToOthers(job, error));
      deps.log.warn("video_step_failed", { request_id: job.requestId, error: errorForLog(error) });
      const failures = job.operation === null ? job.failures + 1 : failuresAfterPoll(job, error);
      return unlessLost(job, retry(job, { failures, progress: null }));
    }
  };
}

async function over(work: Promise<void>): Promise<StepResult> {
  await work;
  return OVER;
}
