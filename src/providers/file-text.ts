import { readDataUrl } from "../kit/index.ts";
import type { FilePart } from "./contract.ts";
import { fileTypeByName } from "./type-by-name.ts";

/** What our adapters decode, and send as the words that it is. */
export function isSentAsText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** More that is written in words, and that servers of the caller's own wire read as such. */
const IN_WORDS =
  /^application\/(?:[\w.-]+\+)?(?:x-)?(?:json|jsonl|ndjson|xml|yaml|toml|sql|sh|javascript|typescript)$/;
/** Enough to tell words from what only bears their name. */
const HEAD_CHARACTERS = 1_024;
const NO_WORDS = /^%PDF-|\0/;

/** A file that came with its words: how much there is of them at most, and what they are, which takes its time. */
type FileText = { readonly bytes: number; read(this: void): string };

/** Null where it is a link, or nothing that is read as words. */
export function textOfFile({ data, mediaType, filename = "" }: FilePart): FileText | null {
  if (/^\s*https?:/i.test(data)) return null;
  const url = data.trimStart();
  const inline = readDataUrl(url);
  const start = inline?.start ?? 0;
  const decode = (end?: number) => decoded(url.slice(start, end), inline?.isBase64 ?? true);
  const said = inline?.mediaType ?? "";
  // In the order in which adapters go by its names. Others may go by that of the bytes alone, where none means words.
  const isText =
    isInWords(mediaType ?? fileTypeByName(filename) ?? said) ||
    (inline !== null && isInWords(said || "text/plain") && !NO_WORDS.test(decode(start + HEAD_CHARACTERS)));
  if (!isText) return null;
  const letters = url.length - start;
  return { bytes: inline?.isBase64 === false ? letters : Math.ceil((letters * 3) / 4), read: () => decode() };
}

function isInWords(mediaType: string): boolean {
  return isSentAsText(mediaType) || IN_WORDS.test(mediaType);
}

function decoded(body: string, isBase64: boolean): string {
  if (isBase64) return Buffer.from(body, "base64").toString("utf8");
  try {
    return decodeURIComponent(body);
  } catch {
    return body;
  }
}
