import { leastTextTokens } from "../../../generation/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";

/**
 * Adds up what a request carries to an upstream of the same wire beyond its neutral prompt: fields and parts that we do
 * not know. The prompt's estimate does not see them, and a provider may bill each of them as input, so they are
 * held for by their size. What is charged of them, where no usage is reported, is in `unseen-text.ts`.
 */
export type UnseenSize = {
  /** The whole value; null and nothing are nothing. */
  add(value: unknown): void;
  /** Every field of the object but those that are seen, or looked at on their own. */
  addOthers(holder: JsonObject, seen: ReadonlySet<string>): void;
  /**
   * A text that only its own provider reads: it has more characters than what it hides. `asMade` gives it as that
   * provider wrote it and is sent it, without what we put around it.
   */
  addEncrypted(text: string, asMade: () => readonly string[]): void;
};

/** Dense text of any language stays within these; rare letters, which do not, count as more bytes than they have. */
const BYTES_PER_TOKEN = 3;
const ENCRYPTED_CHARACTERS_PER_TOKEN = 4;
/** Sampling, identifiers, cache keys: what ordinary requests carry costs nobody a token. */
const ORDINARY_BYTES = 1_024;
/** What a bound has for each message beside its text, in bytes. */
const BYTES_PER_MESSAGE = 48;

/** What a request may carry for nothing. */
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

  /** `messages` neutral ones leave room for their ids and names in the bound of what is held. */
  tokens(messages: number): number {
    const beyond = Math.max(0, this.#bytes - ordinaryBytes(messages));
    return Math.ceil(beyond / BYTES_PER_TOKEN) + Math.ceil(this.#encrypted / ENCRYPTED_CHARACTERS_PER_TOKEN);
  }
}

/** Of the value as JSON, but for escapes. As deep as a body may be, which the edge bounds. */
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
