import type { UnseenText } from "../../generation/index.ts";
import { isObject } from "../../kit/index.ts";
import type { JsonObject } from "./json-fields.ts";
import { ordinaryBytes, type UnseenSize } from "./unseen-size.ts";

/** Fields of a body that go upstream and that no model reads. */
export const UNREAD: ReadonlySet<string> = new Set([
  ...["metadata", "user", "safety_identifier", "prompt_cache_key", "logit_bias", "stop", "include"],
  ...["model", "stream_options", "service_tier", "tool_choice", "reasoning"],
]);

/**
 * Of what `tell` adds up, the words that are in the body which was really sent: vendors differ in what they are spared.
 * For the charge of a call whose usage nobody reports, so only made then. As much as ordinary requests carry is left out,
 * as it is where it is held for.
 */
export function unseenText(
  sent: JsonObject,
  messages: number,
  tell: (unseen: UnseenSize) => void,
): UnseenText {
  const texts = new SentTexts(sent);
  tell(texts);
  return { text: texts.words.join("\n").slice(ordinaryBytes(messages)), sealedCharacters: texts.sealed };
}

class SentTexts implements UnseenSize {
  readonly words: string[] = [];
  sealed = 0;
  readonly #sent = new Set<string>();

  constructor(sent: JsonObject) {
    visitTexts(sent, (text) => this.#sent.add(text));
  }

  add(value: unknown): void {
    visitTexts(value, this.#keep);
  }

  addOthers(holder: JsonObject, seen: ReadonlySet<string>): void {
    for (const name in holder) {
      if (seen.has(name)) continue;
      this.#keep(name);
      this.add(holder[name]);
    }
  }

  addEncrypted(text: string): void {
    if (this.#sent.has(text)) this.sealed += text.length;
  }

  /** Bytes of a picture or a sound are no words. */
  readonly #keep = (text: string): void => {
    if (this.#sent.has(text) && !text.startsWith("data:")) this.words.push(text);
  };
}

/** Names of fields are words, too: a model reads the JSON that they stand in. */
function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === "string") visit(value);
  else if (Array.isArray(value)) for (const each of value) visitTexts(each, visit);
  else if (isObject(value)) {
    for (const name in value) {
      visit(name);
      visitTexts(value[name], visit);
    }
  }
}
