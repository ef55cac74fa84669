import { isObject } from "../../kit/index.ts";

const MAY_HAVE_WORDS = /"(?:text|thinking)"\s*:\s*"[^"]/;

/**
 * The words that a block of Anthropic's wire begins with, as its first piece; null where it has none. Anthropic's own
 * blocks begin empty, those of some other servers do not, and the library reads the pieces alone.
 */
export function firstPieceOf(data: string): string | null {
  if (!data.includes('"content_block_start"') || !MAY_HAVE_WORDS.test(data)) return null;
  try {
    const event: unknown = JSON.parse(data);
    if (!isObject(event) || event["type"] !== "content_block_start") return null;
    const { index, content_block: block } = event;
    const delta = isObject(block) ? pieceOf(block) : null;
    return delta === null ? null : JSON.stringify({ type: "content_block_delta", index, delta });
  } catch {
    // The library says what is wrong with it.
    return null;
  }
}

function pieceOf({ type, text, thinking }: Readonly<Record<string, unknown>>): object | null {
  if (type === "text" && isSaid(text)) return { type: "text_delta", text };
  if (type === "thinking" && isSaid(thinking)) return { type: "thinking_delta", thinking };
  return null;
}

function isSaid(words: unknown): boolean {
  return typeof words === "string" && words !== "";
}
