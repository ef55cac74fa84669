import { type Clock, Patience, systemClock } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { LeaseLost, type VideoJob, type VideoJobs } from "./job.ts";

/** About as long as a lease lasts: after that somebody else may have the job. */
const TRY_FOR_MS = 30_000;
/** Whoever takes up a job without it must end it, so no time is too late: a step that lost its way is told to stop. */
const UNTIL_STOPPED_MS = Number.POSITIVE_INFINITY;

export type Pause = (ms: number) => Promise<void>;

/**
 * The writes of one step, tried again while they fail. What a provider has said is known here alone until it is written:
 * a database that starts again must not lose a job that was taken, nor one that was clearly refused.
 */
export function sureWrites(
  jobs: VideoJobs,
  step: {
    /** Whoever has lost the job or must stop does not try again. */
    readonly signal: AbortSignal;
    readonly log: Log;
    readonly clock?: Clock;
    readonly pause?: Pause | undefined;
  },
): VideoJobs {
  const { signal, log, clock = systemClock, pause = Bun.sleep } = step;

  async function surely<T>(job: VideoJob, write: () => Promise<T>, forMs = TRY_FOR_MS): Promise<T> {
    let patience: Patience | null = null;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof LeaseLost || signal.aborted) throw error;
        if (patience === null) {
          log.warn("video_write_retried", { request_id: job.requestId, error: String(error) });
        }
        // From the first failure on: on a dead link that alone takes longer than a lease.
        patience ??= new Patience(forMs, clock);
        const pauseMs = patience.nextPauseMs();
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
