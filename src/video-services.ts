import { createJobAdmitter } from "./admission/index.ts";
import type { Library } from "./assets/index.ts";
import type { Database } from "./db/index.ts";
import { createVideoCalls, createVideoSteps, type VideoCalls } from "./generation/index.ts";
import { createVideoStore, loadVideoView, startVideoWorker, type VideoWorker } from "./jobs/index.ts";
import type { LeaseKeeper } from "./ledger/index.ts";
import type { Breaker, Registry } from "./providers/index.ts";
import type { Log, Metrics } from "./telemetry/index.ts";

export type VideoServices = {
  readonly video: VideoCalls;
  /** Null on a node that takes jobs and leaves them to others. */
  readonly videoWorker: VideoWorker | null;
};

/** Puts together how a video job is taken on, carried through and asked for. */
export function openVideo(input: {
  db: Database;
  lease: LeaseKeeper;
  library: Library;
  registry: Registry;
  breaker: Breaker;
  log: Log;
  metrics: Metrics;
  /** Does this node carry jobs through? */
  runsVideoJobs: boolean;
  /** How long a stop waits for what must not be cut off. */
  drainMs: number;
}): VideoServices {
  const { db, lease, library, registry, breaker, log, metrics } = input;
  const jobs = createVideoStore(db);
  const advance = createVideoSteps({ jobs, library, registry, breaker, log, metrics });
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
