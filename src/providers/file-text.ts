import { readDataUrl } from "../kit/index.ts";
import type { FilePart } from "./contract.ts";
import { fileTypeByName } from "./type-by-name.ts";

/** What our adapters decode, and send as the words that it is. */
export function isSentAsText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** More that is written in words, and that an adapter hands on to servers which read it as such. */
const IN_WORDS =
  /^application\/(?:[\w.-]+\+)?(?:x-)?(?:json|jsonl|ndjson|xml|yaml|toml|sql|sh|javascript|typescript|python)$/;

/** A file that came with its words: how much there is of them at most, and what they are, which takes its time. */
type FileText = { readonly bytes: number; read(this: void): string };

/**
 * Null where it is a link, or nothing that is sent as words. Of letters that have two bytes, or of a binary under a text's
 * name, the empty bytes count for nothing: each would count as a word.
 */
export function textOfFile({ data, mediaType, filename = "" }: FilePart): FileText | null {
  if (/^https?:/i.test(data)) return null;
  const inline = readDataUrl(data);
  // In the order in which adapters go by its names.
  const type = mediaType ?? fileTypeByName(filename) ?? inline?.mediaType ?? "";
  if (!isSentAsText(type) && !IN_WORDS.test(type)) return null;
  const { start, isBase64 } = inline ?? { start: 0, isBase64: true };
  const letters = data.length - start;
  return {
    bytes: isBase64 ? Math.ceil((letters * 3) / 4) : letters,
    read: () => decoded(data.slice(start), isBase64).replaceAll(/\0+/g, ""),
  };
}

function decoded(body: string, isBase64: boolean): string {
  if (isBase64) return Buffer.from(body, "base64").toString("utf8");
  try {
    return decodeURIComponent(body);
  } catch {
    return body;
  }
}
