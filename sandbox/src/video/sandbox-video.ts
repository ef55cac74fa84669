import {
  type MadeFile,
  ProviderFailure,
  type VideoOperation,
  type VideoState,
} from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";
import { readDirectives } from "../directives/directives.ts";
import { readableScript, waitMsOf } from "../directives/follow-directives.ts";
import { scriptedError, scriptedFailure } from "../scripted-failure.ts";
import { createVideoRenders } from "./video-renders.ts";

type SandboxWorkDeps<Request> = {
  /** Wall-clock time, because another process may do the polling. */
  nowMs(): number;
  render(request: Request, signal: StopSignal): Promise<MadeFile>;
};

/** Work that is begun and polled. */
export type SandboxWork<Request> = {
  begin(id: string, request: Request): VideoOperation;
  poll(operation: VideoOperation, request: () => Promise<Request>): Promise<VideoState>;
};

/** Between polls of the video that is being rendered now: each poll waits for its end, too. */
const RENDERING_PAUSE_MS = 250;
/** Synchronised clocks differ by less; beyond that, the clock of the process that began it was wrong. */
const CLOCK_DIFFERENCE_MS = 5_000;

/** What is stored of a video between polls; everything else is read from the request again. */
type Operation = {
  readonly id: string;
  readonly readyAtMs: number;
  readonly takesMs: number;
  readonly fails: boolean;
  /** It ends with this status when it is ready; null if it does not fail this way. */
  readonly errorStatus: number | null;
};

/**
 * Renders in the render process. The request determines the file, so a process that polls for one which it has not
 * begun can make it too, and making it twice gives the same bytes.
 */
export function createSandboxWork<Request extends { readonly prompt: string | null }>({
  render,
  nowMs,
}: SandboxWorkDeps<Request>): SandboxWork<Request> {
  const renders = createVideoRenders(render);
  return {
    begin(id, request) {
      const script = readableScript(request.prompt ?? "");
      const { fails, errorStatus, processingMs } = script;
      const waitMs = waitMsOf(script);
      if (errorStatus !== null && !fails && waitMs === 0) throw scriptedError(errorStatus);
      // Does not wait: `begin` is a short step, and delays are left to polling.
      const takesMs = waitMs + processingMs;
      const operation: Operation = { id, readyAtMs: nowMs() + takesMs, takesMs, fails, errorStatus };
      if (takesMs === 0 && !fails) renders.begin(id, async () => withoutDirectives(request));
      return operation;
    },
    async poll(operation, request) {
      const { id, readyAtMs, takesMs, fails, errorStatus } = decodeOperation(operation);
      const leftMs = readyAtMs - nowMs();
      if (leftMs > 0 && leftMs <= takesMs + CLOCK_DIFFERENCE_MS)
        return { state: "running", readyInMs: leftMs };
      if (fails) return failedBy(scriptedFailure());
      if (errorStatus !== null) return failedBy(scriptedError(errorStatus));
      try {
        const file = await renders.take(id, async () => withoutDirectives(await request()));
        if (file !== null) return { state: "succeeded", file };
        return { state: "running", ...(renders.isNext(id) ? { readyInMs: RENDERING_PAUSE_MS } : {}) };
      } catch (error) {
        return endOf(error);
      }
    },
  };
}

/** An unreadable file is final; anything else is tried again at the next poll. */
function endOf(error: unknown): VideoState {
  if (!(error instanceof ProviderFailure)) throw error;
  if (error.kind === "rejected" || error.kind === "timeout") return failedBy(error);
  throw error;
}

function failedBy({ kind, publicMessage: message }: ProviderFailure): VideoState {
  switch (kind) {
    case "rejected":
    case "context_overflow":
      return { state: "failed", reason: "rejected", message };
    case "timeout":
      return { state: "failed", reason: "timeout", message };
    default:
      return { state: "failed", reason: "provider_error", message };
  }
}

function withoutDirectives<Request extends { readonly prompt: string | null }>(request: Request): Request {
  return { ...request, prompt: readDirectives(request.prompt ?? "").prompt };
}

function decodeOperation({ id, readyAtMs, takesMs, fails, errorStatus }: VideoOperation): Operation {
  return {
    id: String(id),
    readyAtMs: Number(readyAtMs) || 0,
    takesMs: Number(takesMs) || 0,
    fails: fails === true,
    errorStatus: typeof errorStatus === "number" ? errorStatus : null,
  };
}
