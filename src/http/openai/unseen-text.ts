import type { UnseenText } from "../../generation/index.ts";
import { textsOf, visitTexts } from "../../kit/index.ts";
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
  readonly #sent: ReadonlySet<string>;

  constructor(sent: JsonObject) {
    this.#sent = textsOf(sent);
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
