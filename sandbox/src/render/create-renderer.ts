import type { Renderer, RenderJob } from "../media/renderer.ts";
import { createRenderLane } from "./render-lane.ts";
import { startRenderProcess } from "./render-process.ts";

const MAX_WAITING = 32;
const IDLE_MS = 3 * 60_000;

/** Far more than a job takes on an idle machine: only ends what would never end. */
const TIMEOUT_MS: Readonly<Record<RenderJob["kind"], number>> = {
  image: 60_000,
  speech: 120_000,
  music: 120_000,
  video: 10 * 60_000,
};

/**
 * Starts no process by itself. Images, audio and videos have a process each, so that an image waits neither for a video
 * nor for long speech.
 */
export function createRenderer(startProcess = startRenderProcess): Renderer {
  const lane = () =>
    createRenderLane({
      startProcess,
      maxWaiting: MAX_WAITING,
      idleMs: IDLE_MS,
      timeoutMsOf: ({ kind }) => TIMEOUT_MS[kind],
    });
  const [pictures, sounds, videos] = [lane(), lane(), lane()];
  const lanes = { image: pictures, speech: sounds, music: sounds, video: videos };
  return {
    render: (job, signal) => lanes[job.kind].render(job, signal),
    async close() {
      for (const each of [pictures, sounds, videos]) each.close();
    },
  };
}
