import { countedTokens, leastTextTokens } from "../../../../compaction/src/index.ts";
import type { TextModel } from "../../catalog/index.ts";
import { type ChatMessage, type ContentPart, textOfFile } from "../../contract/index.ts";
import { FilmReader } from "./film-tokens.ts";

/** Providers count 260 to 1,600 tokens for an image of one megapixel, and scale larger ones down first. */
const TOKENS_PER_IMAGE = 1_024;
/** A document page is about 100 kB of base64 and 2,000 tokens; audio has fewer tokens for its bytes. */
const CHARACTERS_PER_FILE_TOKEN = 48;
/** One page, since the number of pages is unknown. */
const TOKENS_PER_LINKED_FILE = 2_048;

export type Attached = {
  readonly tokens: number;
  /** The part of `tokens` that is audio. */
  readonly audioTokens: number;
  /** Number of files that are or may be audio or video: a model may have a separate rate for audio input. */
  readonly heardFiles: number;
  /**
   * True if there are files whose estimate may be off a hundredfold. Audio has fewer tokens for its bytes, and for
   * images the estimate is about right.
   */
  readonly hasUnsureFiles: boolean;
  /** Number of files sent as text, the tokens of that text, and the least that is held for it. */
  readonly textFiles: number;
  readonly textTokens: number;
  readonly heldTextTokens: number;
  /** What videos may count as beyond the bound per file. */
  readonly filmTokens: number;
};

export const NOTHING_ATTACHED: Attached = {
  tokens: 0,
  audioTokens: 0,
  heardFiles: 0,
  hasUnsureFiles: false,
  textFiles: 0,
  textTokens: 0,
  heldTextTokens: 0,
  filmTokens: 0,
};

/** The roles whose files are sent as text, if they contain text. */
export type RolesSentAsText = readonly ChatMessage["role"][];

/** Upper bound of the files' text in bytes, without decoding it. */
export function fileTextBytes(messages: readonly ChatMessage[], rolesSentAsText: RolesSentAsText): number {
  let bytes = 0;
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string" || !rolesSentAsText.includes(role)) continue;
    for (const part of content) if (part.type === "file") bytes += textOfFile(part)?.bytes ?? 0;
  }
  return bytes;
}

/**
 * What images and files probably count as, for calls without reported usage: never above the model's bounds, which
 * are held for. Files that are sent as text count as that text, and are held for as such.
 */
export function attachedIn(
  messages: readonly ChatMessage[],
  { limits }: TextModel,
  rolesSentAsText: RolesSentAsText,
): Attached {
  let [tokens, audioTokens, heardFiles] = [0, 0, 0];
  let [textFiles, textTokens, heldTextTokens] = [0, 0, 0];
  const films = new FilmReader(limits.windowTokens);
  let filmTokens = 0;
  let hasUnsureFiles = false;
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string") continue;
    const isTextSent = rolesSentAsText.includes(role);
    for (const part of content) {
      const ofPart = partTokens(part, limits);
      const text = isTextSent && part.type === "file" ? (textOfFile(part)?.read() ?? null) : null;
      if (text === null) tokens += ofPart;
      else {
        const ofText = countedTokens(text);
        textFiles++;
        tokens += ofText;
        textTokens += ofText;
        heldTextTokens += Math.max(ofText, leastTextTokens(text));
      }
      const kind = soundOf(part);
      if (kind !== null) heardFiles++;
      // Most tokens of a video are its frames, not its audio.
      if (kind === "audio") audioTokens += ofPart;
      hasUnsureFiles ||= isUnsure(part, kind);
      if (text === null && kind !== "audio") {
        filmTokens += Math.max(0, films.mostTokens(part, kind === "video") - (limits.tokensPerFile ?? 0));
      }
    }
  }
  const ofText = { textFiles, textTokens, heldTextTokens };
  return { tokens, audioTokens, heardFiles, hasUnsureFiles, ...ofText, filmTokens };
}

function isUnsure(part: ContentPart, kind: "audio" | "video" | null): boolean {
  if (part.type === "other") return true;
  return part.type === "file" && (kind !== "audio" || isLink(part.data));
}

const AUDIO = /^(?:data:)?audio\/|\.(?:aac|aiff?|flac|m4a|mp3|oga|ogg|opus|wav)$/i;
const VIDEO = /^(?:data:)?video\/|\.(?:3gpp?|avi|flv|m4v|mkv|mov|mp4|mpe?g|webm|wmv)$/i;
/** Enough of a data URL to recognize its media type. */
const TYPE_CHARACTERS = 16;
const MAX_ADDRESS_CHARACTERS = 2_048;

/** Checks all of its names, since wires differ in which one counts. */
function soundOf(part: ContentPart): "audio" | "video" | null {
  if (part.type === "other") return /audio|sound/i.test(part.name) ? "audio" : "video";
  if (part.type !== "file") return null;
  const { mediaType = "", filename = "", data } = part;
  const address = isLink(data) ? data.slice(0, MAX_ADDRESS_CHARACTERS).replace(/[?#].*$/s, "") : "";
  const names = [mediaType, filename, data.slice(0, TYPE_CHARACTERS), address];
  if (names.some((name) => VIDEO.test(name))) return "video";
  return names.some((name) => AUDIO.test(name)) ? "audio" : null;
}

function partTokens(part: ContentPart, { tokensPerImage, tokensPerFile }: TextModel["limits"]): number {
  if (part.type === "text") return 0;
  if (part.type === "image") return Math.min(TOKENS_PER_IMAGE, tokensPerImage ?? 0);
  return Math.min(part.type === "file" ? fileTokens(part.data) : TOKENS_PER_LINKED_FILE, tokensPerFile ?? 0);
}

function fileTokens(data: string): number {
  return isLink(data) ? TOKENS_PER_LINKED_FILE : Math.ceil(data.length / CHARACTERS_PER_FILE_TOKEN);
}

function isLink(data: string): boolean {
  return /^https?:/i.test(data);
}
