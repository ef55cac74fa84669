import { beginsLikeText, readDataUrl } from "../kit/index.ts";
import type { FilePart } from "./contract.ts";
import { fileTypeByName } from "./type-by-name.ts";

/** What our adapters decode, and send as the words that it is. */
export function isSentAsText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

/** Enough to tell words from what only bears their name. */
const HEAD_CHARACTERS = 1_024;

/** A file that came with its words: how much there is of them at most, and what they are, which takes its time. */
type FileText = { readonly bytes: number; read(this: void): string };

/** Null where it is a link, or nothing that our adapters send as words. */
export function textOfFile({ data, mediaType, filename = "" }: FilePart): FileText | null {
  if (/^https?:/i.test(data)) return null;
  const inline = readDataUrl(data);
  // In the order in which adapters go by its names.
  if (!isSentAsText(mediaType ?? fileTypeByName(filename) ?? inline?.mediaType ?? "")) return null;
  const { start, isBase64 } = inline ?? { start: 0, isBase64: true };
  if (!beginsLikeText(decoded(data.slice(start, start + HEAD_CHARACTERS), isBase64))) return null;
  const letters = data.length - start;
  return {
    bytes: isBase64 ? Math.ceil((letters * 3) / 4) : letters,
    read: () => decoded(data.slice(start), isBase64),
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
