import { createJobAdmitter } from "../admission/index.ts";
import type { Library } from "../assets/index.ts";
import type { Registry } from "../contract/index.ts";
import type { Database } from "../db/index.ts";
import { createAdvanceVideo, createVideoCalls, type VideoCalls } from "../generation/index.ts";
import { createVideoStore, loadVideoView, startVideoWorker, type VideoWorker } from "../jobs/index.ts";
import type { LeaseKeeper } from "../ledger/index.ts";
import type { Breaker } from "../outbound/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

export type VideoServices = {
  readonly video: VideoCalls;
  /** Null on a node that accepts jobs but leaves running them to others. */
  readonly videoWorker: VideoWorker | null;
};

/** Wires up how video jobs are submitted, run and polled. */
export function openVideo(input: {
  db: Database;
  lease: LeaseKeeper;
  library: Library;
  registry: Registry;
  breaker: Breaker;
  log: Log;
  metrics: Metrics;
  /** True if this node runs jobs, not only accepts them. */
  runsVideoJobs: boolean;
  /** How long a stopping worker waits for steps that must not be cut off. */
  drainMs: number;
}): VideoServices {
  const { db, lease, library, registry, breaker, log, metrics } = input;
  const jobs = createVideoStore(db);
  const advance = createAdvanceVideo({ jobs, library, registry, breaker, log, metrics });
  const pace = { handOverWaitMs: input.drainMs };
  const videoWorker = input.runsVideoJobs ? startVideoWorker({ db, advance, log, metrics, pace }) : null;
  const video = createVideoCalls({
    admitter: createJobAdmitter({ db, lease }),
    library,
    registry,
    views: { find: (orgId, requestId) => loadVideoView(db, orgId, requestId) },
    log,
    metrics,
    wake: () => videoWorker?.wake(),
  });
  return { video, videoWorker };
}
