import { ProviderFailure } from "../../contract.ts";
import type { VideoOperation, VideoProvider, VideoRequest, VideoState } from "../../media/media-contract.ts";
import { readDirectives } from "../directives/directives.ts";
import { readableScript, waitMsOf } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";
import { scriptedError, scriptedFailure } from "../scripted-failure.ts";
import { createVideoRenders } from "./video-renders.ts";

type SandboxVideoDeps = {
  readonly renderer: Pick<Renderer, "render">;
  /** Of the day: another process may be the one that looks. */
  nowMs(): number;
};

/** Clocks of machines that keep time differ by less: beyond that the one that began it was wrong. */
const CLOCK_DIFFERENCE_MS = 5_000;

/** What is remembered of a video between looks; everything else is read again from the request. */
type Operation = {
  readonly id: string;
  readonly readyAtMs: number;
  readonly takesMs: number;
  readonly fails: boolean;
  /** It ends by this one when it is ready. */
  readonly errorStatus: number | null;
};

/**
 * Renders in the render process, starting at the first look: a video is its request, so whichever process looks can
 * make it, and making it twice gives the same bytes.
 */
export function createSandboxVideo({ renderer, nowMs }: SandboxVideoDeps): VideoProvider {
  const renders = createVideoRenders(renderer);
  return {
    knowsOurId: true,
    check: ({ prompt }) => void readableScript(prompt ?? ""),
    async begin(_upstreamModel, { prompt }, { requestId }) {
      const script = readableScript(prompt ?? "");
      const { fails, errorStatus, processingMs } = script;
      const waitMs = waitMsOf(script);
      if (errorStatus !== null && !fails && waitMs === 0) throw scriptedError(errorStatus);
      // Nobody waits here: a beginning is a short step, and whatever takes long is looked at until it is over.
      const takesMs = waitMs + processingMs;
      const operation: Operation = {
        id: requestId,
        readyAtMs: nowMs() + takesMs,
        takesMs,
        fails,
        errorStatus,
      };
      return operation;
    },
    async look(_upstreamModel, { operation, request }): Promise<VideoState> {
      const { id, readyAtMs, takesMs, fails, errorStatus } = decodeOperation(operation);
      const leftMs = readyAtMs - nowMs();
      if (leftMs > 0 && leftMs <= takesMs + CLOCK_DIFFERENCE_MS) return { state: "running" };
      if (fails) return failedBy(scriptedFailure());
      if (errorStatus !== null) return failedBy(scriptedError(errorStatus));
      try {
        const file = await renders.take(id, async () => withoutDirectives(await request()));
        return file === null ? { state: "running" } : { state: "succeeded", file };
      } catch (error) {
        return endOf(error);
      }
    },
  };
}

/** A file that nobody can read stays so; anything else is tried again at the next look. */
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

function withoutDirectives(request: VideoRequest): VideoRequest {
  return { ...request, prompt: readDirectives(request.prompt ?? "").prompt };
}

function decodeOperation({ id, readyAtMs, takesMs, fails, errorStatus }: VideoOperation): Operation {
  return {
    id: String(id),
    readyAtMs: Number(readyAtMs) || 0,
    // One that a version before this one began does not say.
    takesMs: typeof takesMs === "number" ? takesMs : Number.POSITIVE_INFINITY,
    fails: fails === true,
    errorStatus: typeof errorStatus === "number" ? errorStatus : null,
  };
}
