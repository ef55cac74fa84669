import type { TextModel } from "../../catalog/index.ts";
import { countedTokens, leastTextTokens } from "../../efficiency/index.ts";
import { type ChatMessage, type ContentPart, textOfFile } from "../../providers/index.ts";
import { FilmReader } from "./film-tokens.ts";

/** Of a picture of a megapixel providers count 260 to 1,600; larger ones are made smaller first. */
const TOKENS_PER_IMAGE = 1_024;
/** A page of a document is about a hundred kilobytes of base64 and two thousand tokens; sound has fewer for its bytes. */
const CHARACTERS_PER_FILE_TOKEN = 48;
/** A page, where nobody here knows how many there are. */
const TOKENS_PER_LINKED_FILE = 2_048;

export type Attached = {
  readonly tokens: number;
  /** How many of these tokens are sound. */
  readonly audioTokens: number;
  /** Files that have sound, or a video with it: a model may hear them at a rate of its own. */
  readonly heardFiles: number;
  /** There are files of which this may be off a hundredfold; sound has fewer for its bytes, and of pictures it is about right. */
  readonly hasUnsureFiles: boolean;
  /** Files that came with their words, what these count as, and what is held for them at the least. */
  readonly textFiles: number;
  readonly textTokens: number;
  readonly heldTextTokens: number;
  /** What films may count as beyond the bound of a file. */
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

/** Whose files are sent as the words that they have, where they have some. */
export type SentInWords = readonly ChatMessage["role"][];

/** How long the words of files are at most, in bytes, before anybody has read them. */
export function fileTextBytes(messages: readonly ChatMessage[], inWords: SentInWords): number {
  let bytes = 0;
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string" || !inWords.includes(role)) continue;
    for (const part of content) if (part.type === "file") bytes += textOfFile(part)?.bytes ?? 0;
  }
  return bytes;
}

/**
 * What images and files probably count as, for calls of which no provider says it: never above the model's bounds, which
 * are held for. Words that are sent as such count as what they are, and are held for.
 */
export function attachedIn(
  messages: readonly ChatMessage[],
  { limits }: TextModel,
  inWords: SentInWords,
): Attached {
  let [tokens, audioTokens, heardFiles] = [0, 0, 0];
  let [textFiles, textTokens, heldTextTokens] = [0, 0, 0];
  const films = new FilmReader(limits.windowTokens);
  let filmTokens = 0;
  let hasUnsureFiles = false;
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string") continue;
    const areWordsSent = inWords.includes(role);
    for (const part of content) {
      const ofPart = partTokens(part, limits);
      const text = areWordsSent && part.type === "file" ? (textOfFile(part)?.read() ?? null) : null;
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
      // Of a video most tokens are what is seen.
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
/** As far as a type stands in a data URL. */
const TYPE_CHARACTERS = 16;
const MAX_ADDRESS_CHARACTERS = 2_048;

/** By any of its names: which of them counts differs from wire to wire. */
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
