import { isObject } from "../../../kit/index.ts";

const MAY_HAVE_WORDS = /"(?:text|thinking)"\s*:\s*"[^"]/;

/**
 * The text in the start event of a block of Anthropic's wire, as a first delta; null if there is none. Anthropic's own
 * blocks start empty, those of some other servers do not, and the library reads only deltas.
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
    // The library reports what is wrong with it.
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
