import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import {
  type ContentPart,
  type FilePart,
  fileTypeByName,
  IMAGE_TYPES,
  type ImagePart,
  isSentAsText,
  textOfFile,
  typeByName,
} from "../../../contract/index.ts";
import { readDataUrl } from "../../../kit/index.ts";
import { mediaKindOf, sniffMediaType } from "../../../media/index.ts";
import { brokenPart, refusedPart } from "../../refused-part.ts";
import type { AiSdkQuirks } from "../quirks.ts";

export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

const MAX_NAME_CHARACTERS = 60;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Blank text is dropped: some providers refuse it, and it tells none of them anything. */
export function encodeUserContent(content: string | readonly ContentPart[], quirks: AiSdkQuirks): UserPart[] {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return parts
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text, ...cacheMarked(part.cache, quirks) }
        : { ...readable(encodeAttachment(part, quirks), quirks), ...cacheMarked(isMarked(part), quirks) },
    );
}

export function endsInMark(content: string | readonly ContentPart[]): boolean {
  const last = typeof content === "string" ? undefined : content.at(-1);
  return last !== undefined && isMarked(last);
}

export function isMarked(part: ContentPart): boolean {
  return part.type !== "other" && part.cache === true;
}

/** Otherwise the library would send the bytes of a file that the provider cannot read as text. */
function readable(file: LanguageModelV4FilePart, { takesDocuments }: AiSdkQuirks): LanguageModelV4FilePart {
  if (takesDocuments || file.data.type === "text" || /^image\b/.test(file.mediaType)) return file;
  throw refusedPart("This model takes no files other than images and text.");
}

export function encodeAttachment(
  part: Exclude<ContentPart, { type: "text" }>,
  quirks: AiSdkQuirks,
): LanguageModelV4FilePart {
  switch (part.type) {
    case "image":
      return encodeImage(part, quirks);
    case "file":
      return encodeFile(part, quirks);
    case "other":
      throw refusedPart(`This model does not take ${part.name.slice(0, MAX_NAME_CHARACTERS)} parts.`);
  }
}

/** For a part or message up to which the caller wants the prompt cached. */
export function cacheMarked(cache: boolean | undefined, { namespace, cacheMark }: AiSdkQuirks) {
  return cache && cacheMark !== null ? { providerOptions: { [namespace]: cacheMark } } : {};
}

function encodeImage({ url }: ImagePart, quirks: AiSdkQuirks): LanguageModelV4FilePart {
  const inline = inlineOf(url);
  if (inline) {
    const mediaType = imageType(inline.data.data) ?? inline.mediaType ?? "image";
    return { type: "file", mediaType, data: inline.data };
  }
  const mediaType = typeByName(new URL(parseUrl(url)).pathname, IMAGE_TYPES) ?? "image/jpeg";
  return { type: "file", mediaType, data: remote(url, "images", quirks) };
}

function encodeFile(part: FilePart, quirks: AiSdkQuirks): LanguageModelV4FilePart {
  const named = part.mediaType ?? fileTypeByName(part.filename ?? "");
  const filename = part.filename === undefined ? {} : { filename: part.filename };
  if (/^https?:\/\//i.test(part.data)) {
    const mediaType = named ?? fileTypeByName(new URL(parseUrl(part.data)).pathname);
    return {
      type: "file",
      ...filename,
      mediaType: mediaType ?? "application/pdf",
      data: remote(part.data, "files", quirks),
    };
  }
  const inline = inlineOf(part.data) ?? {
    mediaType: null,
    data: { type: "data" as const, data: readBase64(part.data) },
  };
  const mediaType = named ?? inline.mediaType ?? "application/pdf";
  const words = isSentAsText(mediaType) ? textOfFile(part) : null;
  if (words !== null) {
    // Exactly the text that is counted: each NUL byte of a mislabelled binary would be a word that nothing is held for.
    const text = words.read();
    return { type: "file", ...filename, mediaType: "text/plain", data: { type: "text", text } };
  }
  const shown = mediaType.startsWith("image/") ? (imageType(inline.data.data) ?? mediaType) : mediaType;
  return { type: "file", ...filename, mediaType: shown, data: inline.data };
}

/** Enough for the magic bytes of every image format, the brands of an AVIF included. */
const HEAD_CHARACTERS = 512;

/**
 * The actual type of an image; null if its bytes do not show it. Some providers refuse a wrong type, and clients send
 * `image/jpg`, or `image/png` for everything.
 */
function imageType(base64: string): string | null {
  const mediaType = sniffMediaType(Buffer.from(base64.slice(0, HEAD_CHARACTERS), "base64"));
  return mediaType !== null && mediaKindOf(mediaType) === "image" ? mediaType : null;
}

function remote(url: string, what: string, quirks: AiSdkQuirks): { type: "url"; url: URL } {
  if (!quirks.takesUrls) {
    throw refusedPart(`This model takes ${what} only as data URLs: send the bytes instead of an address.`);
  }
  return { type: "url", url: new URL(parseUrl(url)) };
}

function parseUrl(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw brokenPart("An image or a file must be a data URL or an http(s) address.");
}

function inlineOf(url: string): { mediaType: string | null; data: { type: "data"; data: string } } | null {
  const read = readDataUrl(url);
  if (read === null) return null;
  const body = url.slice(read.start);
  const data = read.isBase64 ? readBase64(body) : Buffer.from(decodePercent(body)).toString("base64");
  return { mediaType: read.mediaType || null, data: { type: "data", data } };
}

function readBase64(text: string): string {
  if (text !== "" && BASE64.test(text)) return text;
  throw brokenPart("The data of an image or a file is not base64.");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw brokenPart("The data URL of an image or a file is malformed.");
  }
}
