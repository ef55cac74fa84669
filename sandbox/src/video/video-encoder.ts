import { createH264MP4Encoder } from "h264-mp4-encoder";
import type { VideoSize } from "./video-size.ts";
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

export async function createVideoEncoder(size: VideoSize, framesPerSecond: number): Promise<VideoEncoder> {
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
