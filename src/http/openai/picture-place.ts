import { isDataUrl, mediaKindOf, readDataUrl, sniffMediaType } from "../../kit/index.ts";
import type { FilePart, ImagePart } from "../../providers/index.ts";

/** What stands before the first of its parameters or its bytes; a longer type is none that anybody knows. */
const MAX_TYPE_CHARACTERS = 1_024;
/** What somebody reads as a document, a sound or a film, whatever its bytes are. */
const OTHER_KIND = /^(?:text|audio|video)\/|^application\/(?:vnd\.|(?:pdf|msword|json|xml)$)/;
/** Names of much else that is read, under which clients send pictures, too; those of no kind at all are not among them. */
const ANY_KIND = /^$|^application\/(?!octet-stream$)/;
/** A document, and bytes that no text has. */
const NO_WORDS = /^%PDF-|\0/;
/** Enough for the first bytes of every kind of picture, and to tell words from other bytes. */
const SNIFFED_CHARACTERS = 512;

/**
 * What a client put where a picture stands. Under the name of another kind it is a file, and counts as one: some servers
 * read documents, sound and films from there, of which each may be a hundred pictures long.
 */
export function partInPicturePlace(image: ImagePart): ImagePart | FilePart {
  // Blanks before it mean nothing to those who read it.
  const url = image.url.trimStart();
  if (!isDataUrl(url)) return image;
  const type = namedType(url);
  const isOther = OTHER_KIND.test(type);
  if (!isOther && !ANY_KIND.test(type)) return image;
  const head = headOf(url);
  const picture = pictureIn(head);
  if (!isOther && picture !== null) return image;
  if (type === "" && !isInWords(head)) return image;
  // A picture under the name of a document is shown as what it is, but who goes by the name may read it as that.
  const mediaType = picture ?? (type === "" ? "text/plain" : type);
  return { type: "file", mediaType, data: image.url, writtenAs: image };
}

function namedType(url: string): string {
  const [type = ""] = url.slice("data:".length, MAX_TYPE_CHARACTERS).split(/[;,]/, 1);
  return type.trim().toLowerCase();
}

/** Its first bytes, or its first letters where these are written out; null where nothing tells where they begin. */
function headOf(url: string): Buffer | string | null {
  const read = readDataUrl(url);
  if (read === null) return null;
  const head = url.slice(read.start, read.start + SNIFFED_CHARACTERS);
  return read.isBase64 ? Buffer.from(head, "base64") : head;
}

/** What has no name is a text by the letter of the law; those who leave it out mostly send a picture. */
function isInWords(head: Buffer | string | null): boolean {
  if (head === null || typeof head === "string") return head !== null;
  try {
    return !NO_WORDS.test(new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}

function pictureIn(head: Buffer | string | null): string | null {
  if (head === null || typeof head === "string") return null;
  const mediaType = sniffMediaType(head);
  return mediaType !== null && mediaKindOf(mediaType) === "image" ? mediaType : null;
}
