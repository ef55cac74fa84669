import { type Image, loadImage } from "@napi-rs/canvas";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import type { GivenFile } from "../../../gateway/src/contract/index.ts";
import { withoutLargeChunks } from "../media/lean-png.ts";
import { RenderRefusal } from "../media/render-refusal.ts";

const MAX_PIXELS = 50_000_000;

/** Magic bytes of formats that the canvas may decode. Never SVG: it is a document that may reference others. */
const MAGIC = /^(?:\x89PNG|\xff\xd8\xff|RIFF....WEBP|GIF8|....ftypavi[fs])/s;

export async function decodePicture({ bytes }: GivenFile): Promise<Image> {
  if (!MAGIC.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1"))) {
    throw new RenderRefusal("The sandbox reads reference images in PNG, JPEG, WebP, GIF and AVIF.");
  }
  let image: Image;
  try {
    image = await loadImage(withoutLargeChunks(bytes));
  } catch {
    throw new RenderRefusal("The reference image cannot be decoded.");
  }
  if (image.width < 1 || image.height < 1 || image.width * image.height > MAX_PIXELS) {
    throw new RenderRefusal("The reference image has too many pixels, or none.");
  }
  return image;
}

/** What can be said about a video without decoding it: its frames are not used, and the result says so. */
export async function describeVideo({ bytes }: GivenFile): Promise<string> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return "Reference video received, no pictures in it";
    const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
    const seconds = await input.computeDuration();
    return `Reference video received: ${width} × ${height}, ${seconds.toFixed(1)} s; the sandbox does not decode it`;
  } catch {
    return "Reference video received; the sandbox cannot read its container";
  } finally {
    input.dispose();
  }
}
