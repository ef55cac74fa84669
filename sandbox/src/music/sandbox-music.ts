import type { MusicProvider } from "../../../gateway/src/contract/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";

/** Composes and plays in the render process; the synthesizer is not loaded here. */
export function createSandboxMusic(renderer: Pick<Renderer, "render">): MusicProvider {
  return {
    async compose(_upstreamModel, request, { signal }) {
      const [prompt = ""] = await followDirectives([request.prompt], signal);
      return renderer.render({ kind: "music", request: { ...request, prompt } }, signal);
    },
  };
}
