import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import type { PictureEdit, PictureJob } from "../media/renderer.ts";
import { renderPicture } from "../pictures/render-picture.ts";
import { decodePicture } from "../video/references.ts";

const MOST_SIDE = 2_048;
/** What was painted, as a share of the picture that it is put into where no mask says where. */
const INSET = 1 / 3;

/** Paints what is asked for where the mask is transparent, or else into a corner of the given picture. */
export async function editPicture(job: PictureJob, { image, mask }: PictureEdit): Promise<MadeFile> {
  const given = await decodePicture(image);
  const shrink = Math.min(1, MOST_SIDE / Math.max(given.width, given.height));
  const width = Math.max(1, Math.round(given.width * shrink));
  const height = Math.max(1, Math.round(given.height * shrink));
  const { finish = {}, ...request } = { ...job.request, aspectRatio: `${width}:${height}` };
  const painted = await loadImage((await renderPicture({ ...job, request })).bytes);
  const canvas = createCanvas(width, height);
  const layer = createCanvas(width, height);
  const brush = layer.getContext("2d");
  if (mask === null) {
    const [wide, high] = [width * INSET, height * INSET];
    brush.drawImage(painted, width - wide, height - high, wide, high);
  } else {
    brush.drawImage(painted, 0, 0, width, height);
    brush.globalCompositeOperation = "destination-out";
    brush.drawImage(await decodePicture(mask), 0, 0, width, height);
  }
  canvas.getContext("2d").drawImage(given, 0, 0, width, height);
  canvas.getContext("2d").drawImage(layer, 0, 0);
  const { format = "png", compression } = finish;
  const bytes = format === "png" ? canvas.encode(format) : canvas.encode(format, compression);
  return { bytes: await bytes, mediaType: `image/${format}`, width, height, durationMs: null };
}
