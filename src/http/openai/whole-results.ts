import { isObject, wholeText } from "../../kit/index.ts";

/**
 * What a client's tool gave back may be any bytes: the names that `find -print0` prints, a text that was cut in the middle
 * of a character. It stays in the conversation, so one refusal would be the refusal of every later turn. In the text of
 * results alone, NUL and halves of characters become the mark of a character that was lost; the parsed body itself is
 * changed.
 */
type Fields = Record<string, unknown>;

/** Of `/v1/chat/completions`. */
export function wholeChatResults(body: unknown): void {
  const mender = new ResultMender();
  for (const message of listIn(body, "messages"))
    if (isObject(message) && (message["role"] === "tool" || message["role"] === "function"))
      mender.mend(message, "content");
}

/** Of `/v1/responses`, where each kind of call has outputs of its own kind. */
export function wholeResponseResults(body: unknown): void {
  const mender = new ResultMender();
  for (const item of listIn(body, "input"))
    if (isObject(item) && typeof item["type"] === "string" && item["type"].endsWith("_call_output"))
      mender.mend(item, "output");
}

function listIn(body: unknown, name: string): readonly unknown[] {
  const list = isObject(body) ? body[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** Each costs a microsecond, and a body may have a million of them, but no conversation has more results than this. */
const MOST_MENDED = 20_000;
/** Of a part its text, and what a shell wrote. */
const TEXTS: readonly string[] = ["text", "stdout", "stderr"];

class ResultMender {
  /** Those beyond the most stay as they are, and are refused like any other. */
  #mended = 0;

  mend(result: Fields, name: string): void {
    const given = result[name];
    if (typeof given === "string") this.#mendText(result, name);
    if (!Array.isArray(given)) return;
    for (const [at, part] of given.entries()) {
      if (isObject(part)) for (const text of TEXTS) this.#mendText(part, text);
      else this.#mendText(given, at);
    }
  }

  #mendText<Key extends string | number>(holder: Record<Key, unknown>, key: Key): void {
    const text = holder[key];
    if (typeof text !== "string" || this.#mended >= MOST_MENDED) return;
    const whole = wholeText(text);
    if (whole === text) return;
    holder[key] = whole;
    this.#mended++;
  }
}
