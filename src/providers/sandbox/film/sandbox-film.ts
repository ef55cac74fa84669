import { ProviderFailure } from "../../contract.ts";
import type { VideoOperation, VideoProvider, VideoRequest, VideoState } from "../../media-contract.ts";
import { readDirectives } from "../directives/directives.ts";
import { followDirectives, refuseUnreadable } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";
import { createFilmRenders } from "./film-renders.ts";

export type SandboxFilmDeps = {
  readonly renderer: Pick<Renderer, "render">;
  /** Of the day: another process may be the one that looks. */
  nowMs(): number;
};

/** What is remembered of a film between looks; everything else is read again from the request. */
type Operation = { readonly id: string; readonly readyAtMs: number; readonly fails: boolean };

/**
 * Renders in the render process, starting at the first look: a film is its request, so whichever process looks can
 * make it, and making it twice gives the same bytes.
 */
export function createSandboxFilm({ renderer, nowMs }: SandboxFilmDeps): VideoProvider {
  const renders = createFilmRenders(renderer);
  return {
    knowsOurId: true,
    check: ({ prompt }) => refuseUnreadable(prompt ?? ""),
    async begin(_upstreamModel, { prompt }, { requestId, signal }) {
      const reading = readDirectives(prompt ?? "");
      const script = reading.outcome === "read" ? reading.script : null;
      // A failure that is asked for comes at the end, as with those who make films in earnest.
      if (script?.fails !== true) await followDirectives([prompt ?? ""], signal);
      const operation: Operation = {
        id: requestId,
        readyAtMs: nowMs() + (script?.processingMs ?? 0),
        fails: script?.fails === true,
      };
      return operation;
    },
    async look(_upstreamModel, { operation, request }): Promise<VideoState> {
      const { id, readyAtMs, fails } = decodeOperation(operation);
      if (nowMs() < readyAtMs) return { state: "running" };
      if (fails)
        return {
          state: "failed",
          reason: "provider_error",
          message: "The sandbox failed, as its directive asked.",
        };
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
  if (error.kind === "rejected") return { state: "failed", reason: "rejected", message: error.publicMessage };
  if (error.kind === "timeout") return { state: "failed", reason: "timeout", message: error.publicMessage };
  throw error;
}

function withoutDirectives(request: VideoRequest): VideoRequest {
  return { ...request, prompt: readDirectives(request.prompt ?? "").prompt };
}

function decodeOperation({ id, readyAtMs, fails }: VideoOperation): Operation {
  return { id: String(id), readyAtMs: Number(readyAtMs) || 0, fails: fails === true };
}
