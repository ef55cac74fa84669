import type { TextModel } from "../catalog/index.ts";
import type { ChatMessage, ContentPart } from "../providers/index.ts";

/** Of a picture of a megapixel providers count 260 to 1,600; larger ones are made smaller first. */
const TOKENS_PER_IMAGE = 1_024;
/** A page of a document is about a hundred kilobytes of base64 and two thousand tokens; sound has fewer for its bytes. */
const CHARACTERS_PER_FILE_TOKEN = 48;
/** A page, where nobody here knows how many there are. */
const TOKENS_PER_LINKED_FILE = 2_048;

/**
 * What images and files probably count as, for calls of which no provider says it: never above the model's bounds, which
 * are held for.
 */
export function attachmentTokens(messages: readonly ChatMessage[], { limits }: TextModel): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (content === null || typeof content === "string") continue;
    for (const part of content) tokens += partTokens(part, limits);
  }
  return tokens;
}

function partTokens(part: ContentPart, { tokensPerImage, tokensPerFile }: TextModel["limits"]): number {
  if (part.type === "text") return 0;
  if (part.type === "image") return Math.min(TOKENS_PER_IMAGE, tokensPerImage ?? 0);
  return Math.min(part.type === "file" ? fileTokens(part.data) : TOKENS_PER_LINKED_FILE, tokensPerFile ?? 0);
}

function fileTokens(data: string): number {
  const isLinked = /^https?:/i.test(data);
  return isLinked ? TOKENS_PER_LINKED_FILE : Math.ceil(data.length / CHARACTERS_PER_FILE_TOKEN);
}
