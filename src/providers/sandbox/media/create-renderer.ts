import { createRenderLane } from "./render-lane.ts";
import { startRenderProcess } from "./render-process.ts";
import type { Renderer, RenderJob } from "./renderer.ts";

const MAX_WAITING = 32;
const IDLE_MS = 3 * 60_000;

/** Far beyond what a job takes on an idle machine: it only ends what would never end. */
const TIMEOUT_MS: Readonly<Record<RenderJob["kind"], number>> = {
  image: 60_000,
  speech: 120_000,
  music: 120_000,
  video: 10 * 60_000,
};

/** Starts nothing by itself. Films have a process of their own, so that a picture never waits for one. */
export function createRenderer(): Renderer {
  const lane = () =>
    createRenderLane({
      startProcess: startRenderProcess,
      maxWaiting: MAX_WAITING,
      idleMs: IDLE_MS,
      timeoutMsOf: ({ kind }) => TIMEOUT_MS[kind],
    });
  const quick = lane();
  const films = lane();
  return {
    render: (job, signal) => (job.kind === "video" ? films : quick).render(job, signal),
    async close() {
      quick.close();
      films.close();
    },
  };
}
