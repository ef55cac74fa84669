import { readDataUrl } from "../kit/index.ts";
import type { FilePart } from "./chat.ts";
import { fileTypeByName } from "./type-by-name.ts";

/** Types that our adapters decode and send as text. */
export function isSentAsText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** More textual types, which an adapter forwards to servers that read them as text. */
const IN_WORDS =
  /^application\/(?:[\w.-]+\+)?(?:x-)?(?:json|jsonl|ndjson|xml|yaml|toml|sql|sh|javascript|typescript|python)$/;

/** The text of an inline file. `bytes` is an upper bound of its size; `read` decodes it, which is expensive. */
type FileText = { readonly bytes: number; read(this: void): string };

/**
 * Null for a link and for types that are not sent as text. NUL bytes (in UTF-16 text, or in a binary labelled as text)
 * are removed, because each would be counted as a word.
 */
export function textOfFile({ data, mediaType, filename = "" }: FilePart): FileText | null {
  if (/^https?:/i.test(data)) return null;
  const inline = readDataUrl(data);
  // The order of precedence that adapters use.
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
