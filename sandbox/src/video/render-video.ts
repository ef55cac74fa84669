import type { Image } from "@napi-rs/canvas";
import { createH264MP4Encoder } from "h264-mp4-encoder";
import type { GivenFile, MadeFile, VideoRequest } from "../../../gateway/src/contract/index.ts";
import type { VideoJob } from "../media/renderer.ts";
import { readBrief } from "../pictures/brief/read-brief.ts";
import { css } from "../pictures/colour.ts";
import { sceneLayers } from "../pictures/scene.ts";
import { weatherLayers } from "../pictures/sky/weather.ts";
import { createStage, type Layer, type Stage } from "../pictures/stage/stage.ts";
import { styleOf } from "../pictures/styles/picture-style.ts";
import { chooseCamera } from "./camera.ts";
import { muxVideo } from "./mux.ts";
import { createReel, type Reel } from "./reel.ts";
import { decodePicture, describeVideo } from "./references.ts";
import { sizeFor, type VideoSize } from "./video-size.ts";
import { chooseSound } from "./video-sound.ts";
import { fillYuv } from "./yuv.ts";

type VideoEncoder = {
  /** Pixels of one frame, four bytes each. */
  add(rgba: Uint8Array): void;
  /** The video in the encoder's own container; ends the encoder. */
  finish(): Uint8Array;
};

const OUTPUT = "video.mp4";
/** Lower is better and larger; with this, flat colours stay clean, and a second has some 150 kB at 720 lines. */
const QUANTIZER = 25;
const KEYFRAME_SECONDS = 2;

async function createVideoEncoder(size: VideoSize, framesPerSecond: number): Promise<VideoEncoder> {
  const encoder = await createH264MP4Encoder();
  encoder.outputFilename = OUTPUT;
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.frameRate = framesPerSecond;
  encoder.groupOfPictures = framesPerSecond * KEYFRAME_SECONDS;
  encoder.quantizationParameter = QUANTIZER;
  // The fastest setting: a longer search takes twice the time and saves a few percent of the file.
  encoder.speed = 10;
  encoder.initialize();
  const yuv = new Uint8Array((size.width * size.height * 3) / 2);
  return {
    add(rgba) {
      fillYuv(yuv, new Uint32Array(rgba.buffer, rgba.byteOffset, size.width * size.height), size);
      encoder.addFrameYuv(yuv);
    },
    finish() {
      encoder.finalize();
      const bytes = encoder.FS.readFile(OUTPUT);
      encoder.FS.unlink(OUTPUT);
      encoder.delete();
      return bytes;
    },
  };
}

/** A reference image that fills the frame, light that moves over it, and the weather that the prompt asks for. */
function photoLayers(stage: Stage, image: Image): Layer[] {
  const { width, height, light } = stage;
  const scale = Math.max(width / image.width, height / image.height);
  const photo: Layer = {
    depth: 0.8,
    isMoving: false,
    paint({ context }) {
      const [wide, tall] = [image.width * scale, image.height * scale];
      context.drawImage(image, (width - wide) / 2, (height - tall) / 2, wide, tall);
    },
  };
  const sweep: Layer = {
    depth: 1,
    isMoving: true,
    paint({ context }, seconds) {
      const x = width * (0.5 + Math.sin(seconds * 0.7) * 0.5);
      const y = height * 0.1;
      const glow = context.createRadialGradient(x, y, 0, x, y, width * 0.6);
      glow.addColorStop(0, css(light.glow, 0.24));
      glow.addColorStop(1, css(light.glow, 0));
      context.fillStyle = glow;
      context.fillRect(-width, -height, width * 3, height * 3);
    },
  };
  return [photo, sweep, ...weatherLayers(stage)];
}

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
