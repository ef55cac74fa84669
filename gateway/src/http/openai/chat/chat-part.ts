import type { ContentPart, FilePart, ImagePart } from "../../../contract/index.ts";
import { invalid, isObject } from "../../../kit/index.ts";
import { refuseInsideCompanions } from "../companion-content.ts";
import { partInImagePlace } from "../image-place.ts";
import { type JsonObject, requiredString, requiredText, stringOf } from "../json-fields.ts";
import type { MediaAddresses } from "../media-address.ts";
import { refuseStoredReply } from "../stored-reply.ts";

/** The content of a user's or a tool's message at `path`. */
export function decodeContent(
  content: unknown,
  path: string,
  addresses: MediaAddresses,
): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw invalid(path, "must be a string or a list of parts");
  return content.map((part: unknown, at) => decodePart(part, `${path}[${at}]`, addresses));
}

function decodePart(part: unknown, path: string, addresses: MediaAddresses): ContentPart {
  // Some clients leave plain strings in the list.
  if (typeof part === "string") return { type: "text", text: part };
  if (!isObject(part)) throw invalid(path, "must be an object with a type");
  switch (part["type"]) {
    case "text":
      refuseInsideCompanions(part, path, addresses);
      return { type: "text", text: requiredString(part, "text", path), ...cacheOf(part) };
    case "refusal":
      refuseInsideCompanions(part, path, addresses);
      return { type: "text", text: requiredString(part, "refusal", path) };
    default:
      refuseStoredReply(part, path, addresses);
      return decodeAttached(part, path);
  }
}

function decodeAttached(part: JsonObject, path: string): ContentPart {
  switch (part["type"]) {
    case "image_url":
      return { ...decodeImage(part, path), ...cacheOf(part) };
    case "input_audio":
      return { ...decodeAudio(part["input_audio"], `${path}.input_audio`), ...cacheOf(part) };
    case "file":
      return { ...decodeFile(part["file"], `${path}.file`), ...cacheOf(part) };
    default:
      return { type: "other", name: nameOf(part["type"], path) };
  }
}

/** True if it has a `cache_control`, which clients of several vendors set on a part, a message or a tool. */
export function asksForCache(part: unknown): boolean {
  return isObject(part) && isObject(part["cache_control"]);
}

const CACHED = { cache: true } as const;
const NOT_CACHED = {};

export function cacheOf(part: unknown): { readonly cache?: true } {
  return asksForCache(part) ? CACHED : NOT_CACHED;
}

function decodeImage(part: JsonObject, path: string): ImagePart | FilePart {
  const { image_url: image } = part;
  if (typeof image === "string") {
    return partInImagePlace({ type: "image", url: requiredText(part, "image_url", path) });
  }
  const at = `${path}.image_url`;
  if (!isObject(image)) throw invalid(at, "must be an object with a url");
  const url = requiredText(image, "url", at);
  const detail = stringOf(image, "detail", at);
  return partInImagePlace(detail === undefined ? { type: "image", url } : { type: "image", url, detail });
}

function decodeAudio(audio: unknown, path: string): FilePart {
  if (!isObject(audio)) throw invalid(path, "must be an object with data and format");
  const format = requiredText(audio, "format", path);
  const data = requiredText(audio, "data", path);
  return { type: "file", mediaType: `audio/${format}`, data };
}

function decodeFile(file: unknown, path: string): FilePart {
  if (!isObject(file)) throw invalid(path, "must be an object with file_data");
  const data = stringOf(file, "file_data", path);
  const filename = stringOf(file, "filename", path);
  if (data === undefined) throw invalid(`${path}.file_data`, "must be a string");
  return filename === undefined ? { type: "file", data } : { type: "file", data, filename };
}

const NAME = /^[\w.-]{1,40}$/;

/** Error messages repeat the type, so only what looks like a name is accepted. */
function nameOf(type: unknown, path: string): string {
  if (typeof type === "string" && NAME.test(type)) return type;
  throw invalid(`${path}.type`, "must be the name of a kind of part, such as text or image_url");
}
