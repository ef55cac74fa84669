import type { GivenFile, MadeFile, VideoRequest } from "../../../gateway/src/contract/index.ts";
import type { VideoJob } from "../media/renderer.ts";
import { readBrief } from "../pictures/brief/read-brief.ts";
import { sceneLayers } from "../pictures/scene.ts";
import { createStage } from "../pictures/stage/stage.ts";
import { styleOf } from "../pictures/styles/picture-style.ts";
import { chooseCamera } from "./camera.ts";
import { muxVideo } from "./mux.ts";
import { photoLayers } from "./photo-layers.ts";
import { createReel, type Reel } from "./reel.ts";
import { decodePicture, describeVideo } from "./references.ts";
import { createVideoEncoder } from "./video-encoder.ts";
import { sizeFor, type VideoSize } from "./video-size.ts";
import { chooseSound } from "./video-sound.ts";

const FRAMES_PER_SECOND = 24;
const DRAFT_FRAMES_PER_SECOND = 12;

/** The same job gives the same frames; nothing depends on the time. */
export async function renderVideo({ request }: VideoJob): Promise<MadeFile> {
  const size = sizeFor(request.resolution, request.aspectRatio);
  const framesPerSecond = request.draft ? DRAFT_FRAMES_PER_SECOND : FRAMES_PER_SECOND;
  const count = Math.max(1, Math.round((request.durationMs / 1000) * framesPerSecond));
  // Before any frame: an unreadable reference ends the job at once.
  const sound = await chooseSound(request);
  const reel = await openReel(request, size, sound.notes);
  const encoder = await createVideoEncoder(size, framesPerSecond);
  for (let frame = 0; frame < count; frame++) {
    encoder.add(reel.frame(frame / framesPerSecond, frame / Math.max(1, count - 1)));
    // Between frames, the end of the pipe and the next message are noticed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const bytes = await muxVideo(encoder.finish(), sound.track, count / framesPerSecond);
  return { bytes, mediaType: "video/mp4", ...size, durationMs: Math.round((count / framesPerSecond) * 1000) };
}

async function openReel(
  request: VideoRequest<GivenFile>,
  size: VideoSize,
  notes: readonly string[],
): Promise<Reel> {
  const prompt = request.prompt ?? "";
  const brief = readBrief({ prompt, negativePrompt: "", variation: `film ${request.seed ?? ""}` });
  const stage = createStage(brief, size);
  const style = styleOf(brief.style);
  const image = request.referenceImage === null ? null : await decodePicture(request.referenceImage);
  const received = request.referenceVideo === null ? [] : [await describeVideo(request.referenceVideo)];
  return createReel({
    size,
    stage,
    style,
    layers: image === null ? sceneLayers(stage) : photoLayers(stage, image),
    camera: chooseCamera(prompt, stage.random("camera")),
    notes: [...received, ...notes],
  });
}
