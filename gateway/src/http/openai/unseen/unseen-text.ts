import type { ChatMessage, Tool } from "../../../contract/index.ts";
import type { SentPrompt, UnseenText } from "../../../generation/index.ts";
import { visitTexts } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { ordinaryBytes, type UnseenSize } from "./unseen-size.ts";

/** Fields that are sent upstream but that no model reads. */
export const UNREAD: ReadonlySet<string> = new Set([
  ...["metadata", "user", "safety_identifier", "prompt_cache_key", "logit_bias", "stop", "include"],
  ...["model", "stream_options", "service_tier", "tool_choice", "reasoning"],
]);

/**
 * The text that `tell` adds up and that is in the body that was really sent: vendors differ in which fields are
 * withheld from them. A text that our own count includes must have been sent once more to count here. Used to charge a
 * call whose usage was not reported, and computed only then. As much text as ordinary requests carry is left out, as it
 * is in the hold.
 */
export function unseenText(
  sent: SentPrompt,
  tools: readonly Tool[],
  tell: (unseen: UnseenSize) => void,
): UnseenText {
  const texts = new SentTexts(sent, tools);
  tell(texts);
  const free = ordinaryBytes(sent.messages.length);
  return { text: texts.words.join("\n").slice(free), sealedCharacters: texts.sealed };
}

class SentTexts implements UnseenSize {
  readonly words: string[] = [];
  sealed = 0;
  /** How often each text occurs in the sent body and is not counted yet: it is added no more often than that. */
  readonly #left = new Map<string, number>();

  constructor({ body, messages }: SentPrompt, tools: readonly Tool[]) {
    visitTexts(body, (text) => this.#left.set(text, (this.#left.get(text) ?? 0) + 1));
    for (const text of repeatedReasoning(body)) this.#take(text);
    for (const { name, description, parameters } of tools) this.#takeAll([name, description, parameters]);
    for (const message of messages) this.#takeAll(countedOf(message));
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

  addEncrypted(_text: string, asMade: () => readonly string[]): void {
    for (const text of asMade()) if (this.#take(text)) this.sealed += text.length;
  }

  /** A data URL is an image or audio, not text. */
  readonly #keep = (text: string): void => {
    if (this.#take(text) && !text.startsWith("data:")) this.words.push(text);
  };

  #takeAll(counted: unknown): void {
    visitTexts(counted, (text) => this.#take(text));
  }

  #take(text: string): boolean {
    const left = this.#left.get(text) ?? 0;
    if (left > 0) this.#left.set(text, left - 1);
    return left > 0;
  }
}

/** What our own count includes of a message: not its ids and signatures, however much text they carry. */
function countedOf(message: ChatMessage): unknown {
  if (message.role !== "assistant") return message.content;
  const thoughts = (message.reasoning ?? []).map(({ text }) => text);
  const calls = message.toolCalls?.map(({ name, arguments: given }) => [name, given]);
  // Most servers take the reasoning of a turn as one text.
  return [message.content, calls, [...new Set([...thoughts, thoughts.join("")])]];
}

/** Texts of details in a sent body that repeat a part of the whole reasoning: they count as one with it. */
export function repeatedReasoning({ messages }: JsonObject): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: JsonObject | null) => {
    const { role, reasoning, reasoning_details: details } = message ?? {};
    const isBoth = role === "assistant" && typeof reasoning === "string" && Array.isArray(details);
    return isBoth ? textsWithin(reasoning, details) : [];
  });
}

/** In order, up to the first text that is not found, so that a long reasoning text is scanned only once. */
function textsWithin(thought: string, details: readonly (JsonObject | null)[]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const detail of details) {
    const text = detail?.["text"] ?? detail?.["summary"];
    if (typeof text !== "string") continue;
    const at = thought.indexOf(text, from);
    if (at < 0) break;
    found.push(text);
    from = at + text.length;
  }
  return found;
}
