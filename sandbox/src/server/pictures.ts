import type { GivenFile, ImageRequest, MadeFile } from "../../../gateway/src/contract/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { PictureEdit, Renderer } from "../media/renderer.ts";
import { type Fields, numberIn, requiredText, textIn } from "./fields.ts";
import type { HostFile } from "./hosted.ts";
import { badField } from "./wire-error.ts";

const MAX_PICTURES = 10;
const MAX_SEED = 2 ** 32 - 1;
export const MAX_PROMPT_CHARACTERS = 32_000;

type PicturesDeps = {
  readonly renderer: Renderer;
  readonly host: HostFile;
  readonly signal: AbortSignal;
  readonly edit?: PictureEdit;
};

/** `POST /v1/images/generations`, and with a picture to change `/v1/images/edits`. */
export async function makePictures(
  body: Fields,
  { renderer, host, signal, ...edit }: PicturesDeps,
): Promise<Response> {
  const shape = shapeOf(body);
  const finish = finishOf(body);
  const negativePrompt = textIn(body, "negative_prompt");
  const n = numberIn(body, "n", { min: 1, max: MAX_PICTURES, whole: true }) ?? 1;
  const seed = numberIn(body, "seed", { min: 0, max: MAX_SEED, whole: true }) ?? 0;
  const isHosted = textIn(body, "response_format") === "url";
  const written = requiredText(body, "prompt", MAX_PROMPT_CHARACTERS);
  const [prompt = ""] = await followDirectives([written], signal);
  const request = { prompt, ...shape, ...finish, negativePrompt };
  const made: MadeFile[] = [];
  for (let at = 0; at < n; at++) {
    try {
      made.push(await renderer.render({ kind: "image", request, index: seed + at, ...edit }, signal));
    } catch (error) {
      // Those that are finished are not thrown away.
      if (made.length === 0 || signal.aborted) throw error;
      break;
    }
  }
  const data = made.map(async (file) =>
    isHosted ? { url: await host(file) } : { b64_json: Buffer.from(file.bytes).toString("base64") },
  );
  return Response.json({
    created: Math.floor(Date.now() / 1_000),
    data: await Promise.all(data),
    size: `${made[0]?.width}x${made[0]?.height}`,
    output_format: finish.finish?.format ?? "png",
  });
}

const TIER_SIDES = { "1k": 1_024, "2k": 2_048, "4k": 4_096 } as const;
const SIZE = /^(\d{2,4})x(\d{2,4})$/;
export const RATIO = /^\d{1,3}:\d{1,3}$/;

/** The ratio of a size, and the smallest tier that has about as many pixels; or ratio and tier by their names. */
function shapeOf(body: Fields): Pick<ImageRequest, "aspectRatio" | "tier"> {
  const size = textIn(body, "size") ?? "auto";
  const aspectRatio = textIn(body, "aspect_ratio") ?? "1:1";
  if (!RATIO.test(aspectRatio)) throw badField("aspect_ratio", "must be written like 16:9");
  const tier = textIn(body, "resolution") ?? "1k";
  if (!isTier(tier)) throw badField("resolution", "must be 1k, 2k or 4k");
  if (size === "auto") return { aspectRatio, tier };
  const [, width, height] = SIZE.exec(size) ?? [];
  if (width === undefined) throw badField("size", "must be auto or written like 1024x1024");
  const side = Math.sqrt(Number(width) * Number(height));
  const fits = (["1k", "2k"] as const).find((each) => side <= TIER_SIDES[each] * ABOUT);
  return { aspectRatio: `${width}:${height}`, tier: fits ?? "4k" };
}

/** OpenAI's wide sizes have half as many pixels again as its square one. */
const ABOUT = 1.3;

function isTier(tier: string): tier is ImageRequest["tier"] {
  return Object.hasOwn(TIER_SIDES, tier);
}

function finishOf(body: Fields): Pick<ImageRequest, "finish"> {
  const format = textIn(body, "output_format");
  const compression = numberIn(body, "output_compression", { min: 0, max: 100, whole: true });
  if (format !== undefined && format !== "png" && format !== "jpeg" && format !== "webp") {
    throw badField("output_format", "must be png, jpeg or webp");
  }
  if (format === undefined && compression === undefined) return {};
  return { finish: { format, compression } };
}

const NUMBERS = ["n", "seed", "output_compression"];

/** The fields of a form as those of a JSON body, and its files. */
export async function readEdit(form: FormData): Promise<{ body: Fields; edit: PictureEdit }> {
  const texts = [...form].filter(([, value]) => typeof value === "string");
  const body = Object.fromEntries(
    texts.map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]),
  );
  const [image, second] = [...form.getAll("image"), ...form.getAll("image[]")];
  const mask = form.get("mask");
  if (!(image instanceof Blob) || second !== undefined) throw badField("image", "must be one file");
  if (typeof mask === "string") throw badField("mask", "must be a file");
  return { body, edit: { image: await givenOf(image), mask: mask === null ? null : await givenOf(mask) } };
}

async function givenOf(file: Blob): Promise<GivenFile> {
  return { bytes: await file.bytes(), mediaType: file.type };
}
