import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import type { RenderJob } from "../media/renderer.ts";

/** Each renderer is loaded with its first job: a process that only speaks never loads a canvas. */
export async function renderJob(job: RenderJob): Promise<MadeFile> {
  switch (job.kind) {
    case "image": {
      if (job.edit !== undefined) return (await import("./edit-picture.ts")).editPicture(job, job.edit);
      const { renderPicture } = await import("../pictures/render-picture.ts");
      return renderPicture(job);
    }
    case "video": {
      const { renderVideo } = await import("../video/render-video.ts");
      return renderVideo(job);
    }
    case "speech": {
      const { renderSpeech } = await import("../speech/render-speech.ts");
      return renderSpeech(job);
    }
    case "music": {
      const { renderMusic } = await import("../music/render-music.ts");
      return renderMusic(job);
    }
  }
}
