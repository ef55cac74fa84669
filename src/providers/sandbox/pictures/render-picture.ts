import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { MadeFile } from "../../media/media-contract.ts";
import type { PictureJob } from "../media/renderer.ts";
import { readBrief } from "./brief/read-brief.ts";
import { paintPicture } from "./paint-picture.ts";
import { pictureSize } from "./picture-size.ts";
import { encodePng } from "./png.ts";

/** The same job gives the same bytes. */
export async function renderPicture({ request, index }: PictureJob): Promise<MadeFile> {
  const { prompt, negativePrompt = "", aspectRatio, tier } = request;
  const size = pictureSize(tier, aspectRatio);
  const brief = readBrief({ prompt, negativePrompt, variation: String(index) });
  const canvas = createCanvas(size.width, size.height);
  paintPicture(canvas, brief);
  return {
    bytes: encodePng(pixelsOf(canvas), size.width, size.height),
    mediaType: "image/png",
    ...size,
    durationMs: null,
  };
}

function pixelsOf(canvas: Canvas): Uint8Array {
  return canvas.data();
}
