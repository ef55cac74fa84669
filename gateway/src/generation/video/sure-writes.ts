import { Backoff, type Clock, systemClock } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { LeaseLost, type VideoJob, type VideoJobs } from "./job.ts";

/** About as long as a lease lasts: after that another worker may have the job. */
const TRY_FOR_MS = 30_000;
/** Without this write the next worker must fail the job, so it is retried until the step is stopped. */
const UNTIL_STOPPED_MS = Number.POSITIVE_INFINITY;

export type Pause = (ms: number) => Promise<void>;

/**
 * Retries the writes of a step. Until it is written, a provider's answer is known only here: a database restart must
 * not lose a job that was accepted, nor one that was clearly refused.
 */
export function sureWrites(
  jobs: VideoJobs,
  step: {
    /** Aborted when the lease is lost or the worker must stop: ends the retries. */
    readonly signal: AbortSignal;
    readonly log: Log;
    readonly clock?: Clock;
    readonly pause?: Pause | undefined;
  },
): VideoJobs {
  const { signal, log, clock = systemClock, pause = Bun.sleep } = step;

  async function surely<T>(job: VideoJob, write: () => Promise<T>, forMs = TRY_FOR_MS): Promise<T> {
    let backoff: Backoff | null = null;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof LeaseLost || signal.aborted) throw error;
        if (backoff === null) {
          log.warn("video_write_retried", { request_id: job.requestId, error: String(error) });
        }
        // Counts from the first failure: on a dead connection that alone may take longer than a lease.
        backoff ??= new Backoff(forMs, clock);
        const pauseMs = backoff.nextPauseMs();
        if (pauseMs === null) throw error;
        await pause(pauseMs);
      }
    }
  }

  return {
    saveIntent: (job, target) => surely(job, () => jobs.saveIntent(job, target)),
    dropIntent: (job) => surely(job, () => jobs.dropIntent(job)),
    saveOperation: (job, operation) =>
      surely(job, () => jobs.saveOperation(job, operation), UNTIL_STOPPED_MS),
    saveStoring: (job) => surely(job, () => jobs.saveStoring(job)),
    saveDraft: (job, draft) => surely(job, () => jobs.saveDraft(job, draft)),
    giveBack: (job, next) => surely(job, () => jobs.giveBack(job, next)),
    end: (job, end) => surely(job, () => jobs.end(job, end)),
  };
}
