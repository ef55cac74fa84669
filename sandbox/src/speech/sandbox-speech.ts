import type { SpeechProvider } from "../../../gateway/src/contract/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";

/** Speaks in the render process; the synthesizer is not loaded here. */
export function createSandboxSpeech(renderer: Pick<Renderer, "render">): SpeechProvider {
  return {
    async speak(_upstreamModel, { lines, speed }, { signal }) {
      const texts = await followDirectives(
        lines.map(({ text }) => text),
        signal,
      );
      const plain = lines.map(({ voice }, at) => ({ voice, text: texts[at] ?? "" }));
      return renderer.render({ kind: "speech", request: { lines: plain, speed } }, signal);
    },
  };
}
