import type { ImageProvider, MadeFile } from "../../media/media-contract.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";

/** Draws in the render process; nothing of the canvas is loaded here. */
export function createSandboxPictures(renderer: Pick<Renderer, "render">): ImageProvider {
  return {
    async makeImages(_upstreamModel, { n, ...request }, { signal }) {
      const [prompt = ""] = await followDirectives([request.prompt], signal);
      const made: MadeFile[] = [];
      for (let index = 0; index < n; index++) {
        try {
          made.push(await renderer.render({ kind: "image", request: { ...request, prompt }, index }, signal));
        } catch (error) {
          // What was made is what is charged, so the others are not thrown away.
          if (made.length === 0 || signal.aborted) throw error;
          break;
        }
      }
      return made;
    },
  };
}
