/**
 * The render process. Everything heavy (canvas, wasm, sound fonts) is loaded only here, with the first job that needs
 * it. It ends with its parent: however that ends, its end of the pipe is closed.
 */
import { createFrameReader, encodeFrame, framePieces } from "../media/frame.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import type { RenderJob } from "../media/renderer.ts";
import { renderJob } from "./render-job.ts";
import type { RenderReply } from "./render-reply.ts";

// Libraries that print would corrupt the frames on stdout.
const quiet = () => {};
Object.assign(globalThis.console, { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet });

const output = Bun.stdout.writer();

async function answer(job: RenderJob): Promise<void> {
  for await (const piece of framePieces(encodeFrame(await replyTo(job)))) output.write(piece);
  await output.flush();
}

async function replyTo(job: RenderJob): Promise<RenderReply> {
  try {
    return { outcome: "made", file: await renderJob(job) };
  } catch (error) {
    if (error instanceof RenderRefusal) return { outcome: "refused", publicMessage: error.publicMessage };
    return {
      outcome: "failed",
      internal: error instanceof Error ? (error.stack ?? error.message) : "unknown",
    };
  }
}

const reader = createFrameReader();
for await (const chunk of Bun.stdin.stream()) {
  // Not awaited, so that the end of the pipe is noticed while a job runs; the parent sends one job at a time.
  for (const job of reader.push(chunk)) void answer(job as RenderJob);
}
process.exit(0);
