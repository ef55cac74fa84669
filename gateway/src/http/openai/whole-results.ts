import { isObject, wholeText } from "../../kit/index.ts";

/**
 * The result of a client's tool may contain any bytes: NULs printed by `find -print0`, a text cut in the middle of a
 * character. Results stay in the conversation, so refusing one would refuse every later turn as well. In tool results
 * only, NUL and unpaired surrogates are replaced by U+FFFD, in the parsed body itself.
 */
type Fields = Record<string, unknown>;

/** For `/v1/chat/completions`. */
export function wholeChatResults(body: unknown): void {
  const mender = new ResultRepairer();
  for (const message of listIn(body, "messages"))
    if (isObject(message) && (message["role"] === "tool" || message["role"] === "function"))
      mender.repair(message, "content");
}

/** For `/v1/responses`, where each type of call has its own type of output. */
export function wholeResponseResults(body: unknown): void {
  const mender = new ResultRepairer();
  for (const item of listIn(body, "input"))
    if (isObject(item) && typeof item["type"] === "string" && item["type"].endsWith("_call_output"))
      mender.repair(item, "output");
}

function listIn(body: unknown, name: string): readonly unknown[] {
  const list = isObject(body) ? body[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** Each repair takes a microsecond and a body may need a million, but no conversation has more results than this. */
const MOST_MENDED = 20_000;
/** Fields of a part that hold text: its own, and the output of a shell. */
const TEXTS: readonly string[] = ["text", "stdout", "stderr"];

class ResultRepairer {
  /** Texts beyond MOST_MENDED stay as they are, and are refused like any other broken text. */
  #mended = 0;

  repair(result: Fields, name: string): void {
    const given = result[name];
    if (typeof given === "string") this.#repairText(result, name);
    if (!Array.isArray(given)) return;
    for (const [at, part] of given.entries()) {
      if (isObject(part)) for (const text of TEXTS) this.#repairText(part, text);
      else this.#repairText(given, at);
    }
  }

  #repairText<Key extends string | number>(holder: Record<Key, unknown>, key: Key): void {
    const text = holder[key];
    if (typeof text !== "string" || this.#mended >= MOST_MENDED) return;
    const whole = wholeText(text);
    if (whole === text) return;
    holder[key] = whole;
    this.#mended++;
  }
}
