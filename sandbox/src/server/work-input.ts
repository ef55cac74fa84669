import type { GivenFile, KeptFile, MusicRequest, VideoRequest } from "../../../gateway/src/contract/index.ts";
import { readDataUrl } from "../../../gateway/src/kit/index.ts";
import { type Fields, flagIn, numberIn, textIn } from "./fields.ts";
import { type FileStore, nameOfContent } from "./file-store.ts";
import { FILES } from "./hosted.ts";
import { MAX_PROMPT_CHARACTERS, RATIO } from "./pictures.ts";
import { badField, WireError } from "./wire-error.ts";

const MAX_FILE_BYTES = 25 << 20;
const MAX_IMAGES = 16;
/** A longer text is kept beside the files, since all else of a job must fit into its id. */
const MAX_TEXT_BYTES = 1_000;
const KEPT = "kept:";

/** The input of a job with its files, and a long prompt, replaced by where they are kept. */
export async function keepParts(input: Fields, store: FileStore): Promise<Fields> {
  const kept: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const value = input[name] ?? undefined;
    if (value === undefined) continue;
    const keep = name.includes("_url") ? keepFile : keepText;
    kept[name] =
      name === "image_urls"
        ? await Promise.all(listOf(name, value).map((each) => keep(name, each, store)))
        : await keep(name, value, store);
  }
  return kept;
}

/** All that any of the models reads; whatever else a client sends is ignored, as fal does. */
const FIELDS = [
  "prompt",
  "duration",
  "resolution",
  "aspect_ratio",
  "generate_audio",
  "keep_audio",
  "draft",
  "seed",
  "style",
  "image_url",
  "image_urls",
  "video_url",
  "audio_url",
] as const;

function listOf(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MAX_IMAGES) return value;
  throw badField(name, `must be a list of at most ${MAX_IMAGES}`);
}

async function keepText(name: string, value: unknown, store: FileStore): Promise<unknown> {
  if (typeof value !== "string") return value;
  if (value.startsWith(KEPT)) throw badField(name, `must not begin with ${KEPT}`);
  const bytes = new TextEncoder().encode(value);
  return bytes.byteLength > MAX_TEXT_BYTES ? keep(bytes, "text/plain", store) : value;
}

/** We fetch nothing: a file comes with the call, or from one that was made here before. */
async function keepFile(name: string, value: unknown, store: FileStore): Promise<string> {
  const url = typeof value === "string" ? value : "";
  const inline = readDataUrl(url);
  if (inline?.isBase64) {
    const bytes = Buffer.from(url.slice(inline.start), "base64");
    if (bytes.byteLength > MAX_FILE_BYTES) throw badField(name, `must have at most ${MAX_FILE_BYTES} bytes`);
    return keep(bytes, inline.mediaType, store);
  }
  const at = url.lastIndexOf(FILES);
  const own = at < 0 ? "" : url.slice(at + FILES.length);
  if ((await store.find(own)) !== null) return `${KEPT}${own}:`;
  throw badField(name, "must be a data URI in base64, or the address of a file that the sandbox has made");
}

async function keep(bytes: Uint8Array, mediaType: string, store: FileStore): Promise<string> {
  const name = nameOfContent(bytes);
  await store.put(name, bytes);
  return `${KEPT}${name}:${mediaType}`;
}

async function openKept(place: string, store: FileStore): Promise<{ file: Bun.BunFile; mediaType: string }> {
  const [name = "", mediaType = ""] = place.slice(KEPT.length).split(":");
  const file = await store.find(name);
  // The same words whether it was dropped or never here: another machine's process has its own files.
  if (file === null) throw new WireError(404, "A part of this job is no longer here: submit it again.");
  return { file, mediaType };
}

async function promptIn(input: Fields, store: FileStore): Promise<string | null> {
  const given = textIn(input, "prompt") ?? null;
  const prompt = given?.startsWith(KEPT) ? await (await openKept(given, store)).file.text() : given;
  if (prompt !== null && prompt.length > MAX_PROMPT_CHARACTERS)
    throw badField("prompt", `must have at most ${MAX_PROMPT_CHARACTERS} characters`);
  return prompt;
}

async function keptFile(input: Fields, name: string, store: FileStore): Promise<KeptFile | null> {
  const place = textIn(input, name);
  if (place === undefined) return null;
  const { file, mediaType } = await openKept(place, store);
  return {
    mediaType,
    sizeBytes: file.size,
    read: (start, length) => file.slice(start, start + length).bytes(),
  };
}

export async function videoRequestOf(input: Fields, store: FileStore): Promise<VideoRequest> {
  const [referenceImage, referenceVideo, referenceAudio] = await Promise.all(
    ["image_url", "video_url", "audio_url"].map((name) => keptFile(input, name, store)),
  );
  const aspectRatio = textIn(input, "aspect_ratio") ?? "auto";
  if (aspectRatio !== "auto" && !RATIO.test(aspectRatio))
    throw badField("aspect_ratio", "must be written like 16:9");
  const prompt = await promptIn(input, store);
  if (prompt === null && !referenceImage) throw badField("prompt", "must be a text");
  return {
    task: referenceVideo ? "edit" : referenceImage ? "image_to_video" : "text_to_video",
    prompt,
    durationMs: durationMsIn(input, { usual: 4, most: 60 }),
    resolution: textIn(input, "resolution") ?? "480p",
    aspectRatio: aspectRatio === "auto" ? "16:9" : aspectRatio,
    sound: flagIn(input, "generate_audio") ?? false,
    draft: flagIn(input, "draft") ?? false,
    keepAudio: flagIn(input, "keep_audio") ?? true,
    seed: numberIn(input, "seed", { min: 0, max: 2 ** 32 - 1, whole: true }) ?? null,
    referenceImage: referenceImage ?? null,
    referenceVideo: referenceVideo ?? null,
    referenceAudio: referenceAudio ?? null,
  };
}

export async function musicRequestOf(input: Fields, store: FileStore): Promise<MusicRequest> {
  const prompt = await promptIn(input, store);
  if (prompt === null) throw badField("prompt", "must be a text");
  const places = Array.isArray(input["image_urls"]) ? input["image_urls"] : [];
  const referenceImages = places.map(async (place): Promise<GivenFile> => {
    const { file, mediaType } = await openKept(String(place), store);
    return { bytes: await file.bytes(), mediaType };
  });
  return {
    prompt,
    style: textIn(input, "style") ?? null,
    durationMs: durationMsIn(input, { usual: 10, most: 300 }),
    referenceImages: await Promise.all(referenceImages),
  };
}

/** Seconds, which fal's models take as a number, as digits or with their unit. */
function durationMsIn(input: Fields, { usual, most }: { usual: number; most: number }): number {
  const { duration = usual } = input;
  const [, digits] = /^(\d{1,3}(?:\.\d{1,3})?)s?$/.exec(String(duration)) ?? [];
  const seconds = Number(digits);
  if (seconds > 0 && seconds <= most) return Math.round(seconds * 1_000);
  throw badField("duration", `must be seconds, more than 0 and at most ${most}`);
}
