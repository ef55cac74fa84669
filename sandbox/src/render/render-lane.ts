import { type MadeFile, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";
import type { RenderOrder } from "../media/renderer.ts";
import type { RenderProcess } from "./render-process.ts";

/** One process and its queue, first come first served. */
export type RenderLane = {
  render(job: RenderOrder, signal: StopSignal): Promise<MadeFile>;
  close(): void;
};

export type RenderLaneOptions = {
  startProcess(): RenderProcess;
  /** Most jobs that may wait; one more is refused with a 503. */
  readonly maxWaiting: number;
  /** After this long without a job, the process ends to free its memory. */
  readonly idleMs: number;
  timeoutMsOf(job: RenderOrder): number;
};

type Waiting = { readonly go: () => void; readonly stop: (error: unknown) => void };

export function createRenderLane(options: RenderLaneOptions): RenderLane {
  const waiting: Waiting[] = [];
  let rendering: RenderProcess | null = null;
  let isBusy = false;
  let isClosed = false;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;

  /** The current process, or a new one if that has ended. */
  function process(): RenderProcess {
    if (isClosed) throw closed();
    clearTimeout(idleTimer);
    if (rendering === null || rendering.hasEnded) rendering = options.startProcess();
    return rendering;
  }

  async function takeTurn(signal: StopSignal): Promise<void> {
    signal.throwIfAborted();
    if (!isBusy) {
      isBusy = true;
      return;
    }
    if (waiting.length >= options.maxWaiting) {
      throw new ProviderFailure("rate_limited", "The sandbox has too much to render at the moment.", {
        retryAfterSeconds: 5,
      });
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      const leave = () => signal.removeEventListener("abort", onAbort);
      const turn: Waiting = {
        go: () => {
          leave();
          resolve();
        },
        stop: (error) => {
          leave();
          reject(error);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.push(turn);
    });
  }

  function giveTurn(): void {
    const next = waiting.shift();
    if (next !== undefined) {
      next.go();
      return;
    }
    isBusy = false;
    if (isClosed) return;
    idleTimer = setTimeout(() => rendering?.end(), options.idleMs);
    idleTimer.unref();
  }

  return {
    async render(job, signal) {
      await takeTurn(signal);
      try {
        return await renderWithin(process(), job, { signal, timeoutMs: options.timeoutMsOf(job) });
      } catch (error) {
        // No process could be started, or its pipe broke: to callers, the same as a crash.
        if (signal.aborted || error instanceof ProviderFailure) throw error;
        throw new ProviderFailure("unavailable", "The sandbox cannot render now.", {
          internal: String(error),
        });
      } finally {
        giveTurn();
      }
    },
    close() {
      isClosed = true;
      clearTimeout(idleTimer);
      for (const turn of waiting.splice(0)) turn.stop(closed());
      rendering?.end();
    },
  };
}

/** Rendering cannot be interrupted from outside, so a job that must stop is ended with its process. */
async function renderWithin(
  process: RenderProcess,
  job: RenderOrder,
  { signal, timeoutMs }: { readonly signal: StopSignal; readonly timeoutMs: number },
): Promise<MadeFile> {
  let stopped: unknown;
  const stop = (reason: unknown) => {
    stopped = reason;
    process.end();
  };
  const onAbort = () => stop(signal.reason);
  const timer = setTimeout(
    () =>
      stop(
        new ProviderFailure("timeout", "The sandbox took too long to render this.", { targetHealth: "up" }),
      ),
    timeoutMs,
  );
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await process.render(job);
  } catch (error) {
    throw stopped ?? error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function closed(): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox's renderer is shutting down.", {
    internal: "the renderer was closed",
  });
}
