import type { FilePart, ImagePart } from "../../contract/index.ts";
import { isDataUrl, readDataUrl } from "../../kit/index.ts";
import { mediaKindOf, sniffMediaType } from "../../media/index.ts";

/** How much of a data URL is searched for its media type; no known type is longer. */
const MAX_TYPE_CHARACTERS = 1_024;
/** Media types that some servers read as a document, audio or video, whatever the bytes are. */
const OTHER_KIND = /^(?:text|audio|video)\/|^application\/(?:vnd\.|(?:pdf|msword|json|xml)$)/;
/** Types under which clients send images as well as other files. `octet-stream` is excluded: it names no format. */
const ANY_KIND = /^$|^application\/(?!octet-stream$)/;
/** A PDF, or a NUL, which no text contains. */
const NO_TEXT = /^%PDF-|\0/;
/** Enough to recognize every image format, and to tell text from binary data. */
const SNIFFED_CHARACTERS = 512;

/**
 * Decodes what a client has sent in the place of an image. With the media type of another kind it is a file, and is
 * counted as one: some servers read documents, audio and video there, each of which may count as much as a hundred
 * images.
 */
export function partInImagePlace(image: ImagePart): ImagePart | FilePart {
  // Those who read the URL ignore leading white space.
  const url = image.url.trimStart();
  if (!isDataUrl(url)) return image;
  const type = namedType(url);
  const isOther = OTHER_KIND.test(type);
  if (!isOther && !ANY_KIND.test(type)) return image;
  const head = headOf(url);
  const imageType = imageTypeIn(head);
  if (!isOther && imageType !== null) return image;
  if (type === "" && !isText(head)) return image;
  // An image labelled as a document gets its real type, but stays a file: a server that goes by the label may read it
  // as a document.
  const mediaType = imageType ?? (type === "" ? "text/plain" : type);
  return { type: "file", mediaType, data: image.url, writtenAs: image };
}

function namedType(url: string): string {
  const [type = ""] = url.slice("data:".length, MAX_TYPE_CHARACTERS).split(/[;,]/, 1);
  return type.trim().toLowerCase();
}

/** The first bytes of the data, or its first characters if it is not base64; null if it is unclear where it begins. */
function headOf(url: string): Buffer | string | null {
  const read = readDataUrl(url);
  if (read === null) return null;
  const head = url.slice(read.start, read.start + SNIFFED_CHARACTERS);
  return read.isBase64 ? Buffer.from(head, "base64") : head;
}

/** By the specification, data without a media type is text, but clients that omit the type mostly send an image. */
function isText(head: Buffer | string | null): boolean {
  if (head === null || typeof head === "string") return head !== null;
  try {
    return !NO_TEXT.test(new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}

function imageTypeIn(head: Buffer | string | null): string | null {
  if (head === null || typeof head === "string") return null;
  const mediaType = sniffMediaType(head);
  return mediaType !== null && mediaKindOf(mediaType) === "image" ? mediaType : null;
}
