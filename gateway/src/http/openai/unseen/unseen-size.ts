import { leastTextTokens } from "../../../../../compaction/src/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";

/**
 * Adds up what a request carries to an upstream of the same wire beyond its neutral prompt: fields and parts that we do
 * not know. The prompt's estimate does not see them, and a provider may bill each of them as input, so they are
 * held for by their size. What is charged of them, where no usage is reported, is in `unseen-text.ts`.
 */
export type UnseenSize = {
  /** Adds the whole value; null and undefined add nothing. */
  add(value: unknown): void;
  /** Adds every field of the object except `seen`: those that the prompt shows, or that are added separately. */
  addOthers(holder: JsonObject, seen: ReadonlySet<string>): void;
  /**
   * Adds a text that only its own provider can read; it is longer than what it encrypts. `asMade` returns the text as
   * that provider wrote it and as it is sent, without what we added to it.
   */
  addEncrypted(text: string, asMade: () => readonly string[]): void;
};

/**
 * Even dense text has at least this many bytes per token in any language. Rare characters have fewer, and count as more
 * bytes than they have.
 */
const BYTES_PER_TOKEN = 3;
const ENCRYPTED_CHARACTERS_PER_TOKEN = 4;
/** What ordinary requests carry (sampling settings, identifiers, cache keys) costs no tokens. */
const ORDINARY_BYTES = 1_024;
/** Bytes that the bound of the hold already includes for each message beyond its text. */
const BYTES_PER_MESSAGE = 48;

/** Unseen bytes that a request may carry at no cost. */
export function ordinaryBytes(messages: number): number {
  return ORDINARY_BYTES + messages * BYTES_PER_MESSAGE;
}

export class UnseenSum implements UnseenSize {
  #bytes = 0;
  #encrypted = 0;

  add(value: unknown): void {
    this.#bytes += sizeBytes(value);
  }

  addOthers(holder: JsonObject, seen: ReadonlySet<string>): void {
    for (const name in holder) if (!seen.has(name)) this.#bytes += textBytes(name) + sizeBytes(holder[name]);
  }

  addEncrypted(text: string): void {
    this.#encrypted += Buffer.byteLength(text);
  }

  /** `messages` is the number of neutral messages: the hold already has room for their ids and names. */
  tokens(messages: number): number {
    const beyond = Math.max(0, this.#bytes - ordinaryBytes(messages));
    return Math.ceil(beyond / BYTES_PER_TOKEN) + Math.ceil(this.#encrypted / ENCRYPTED_CHARACTERS_PER_TOKEN);
  }
}

/** Size of the value as JSON, without escapes. The recursion is bounded: the depth of a body was checked before. */
function sizeBytes(value: unknown): number {
  if (typeof value === "string") return textBytes(value) + '""'.length;
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeBytes(each) + ",".length, 0);
  if (!isObject(value)) return String(value).length;
  let size = 0;
  for (const name in value) size += textBytes(name) + '"":,'.length + sizeBytes(value[name]);
  return size;
}

function textBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes === text.length ? bytes : Math.max(bytes, leastTextTokens(text) * BYTES_PER_TOKEN);
}
