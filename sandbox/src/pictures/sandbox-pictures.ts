import type { ImageProvider, MadeFile } from "../../../gateway/src/contract/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";

/** Renders in the render process; the canvas library is not loaded here. */
export function createSandboxPictures(renderer: Pick<Renderer, "render">): ImageProvider {
  return {
    async makeImages(_upstreamModel, { n, ...request }, { signal }) {
      const [prompt = ""] = await followDirectives([request.prompt], signal);
      const made: MadeFile[] = [];
      for (let index = 0; index < n; index++) {
        try {
          made.push(await renderer.render({ kind: "image", request: { ...request, prompt }, index }, signal));
        } catch (error) {
          // Finished pictures are charged, so they are not discarded.
          if (made.length === 0 || signal.aborted) throw error;
          break;
        }
      }
      return made;
    },
  };
}
