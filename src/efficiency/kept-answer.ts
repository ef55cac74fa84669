import type { ChatMessage } from "../providers/index.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/** At the start of a line: by tags tools are called and thoughts are told apart. Some models have signs of their own. */
const TAG = /<[/|｜]?[a-z_]/iy;
/** In a line as well. */
const THOUGHT = /<\/?think(?:ing)?>/iy;
/** The lines around what is searched for and put in its place, and those of a patch. */
const BLOCK = /^[ \t]*(?:(?:<{5,9}|>{5,9}|-{5,9}|\+{5,9}) ?[a-z]|\*{3} (?:Begin|Update|Add) )/im;
/** One of these is in each of them, and in few answers. */
const BLOCK_SIGNS = [">>>>>", "+++++", "*** "];

/**
 * Whether what the model said stays as it is: what it did or thought is written in the text itself, or its provider has
 * signed something of it. Signed thoughts are put back by how many characters stand between them.
 */
export function isKeptAnswer({ content, reasoning = [] }: Assistant): boolean {
  if (reasoning.some(({ signature }) => signature !== undefined)) return true;
  return content !== null && (hasTag(content) || hasBlock(content));
}

/** A loop, since most answers have none of the signs. */
function hasTag(text: string): boolean {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (isAt(THOUGHT, text, at) || (isLineStart(text, at) && isAt(TAG, text, at))) return true;
  }
  return false;
}

function isAt(sign: RegExp, text: string, at: number): boolean {
  sign.lastIndex = at;
  return sign.test(text);
}

function isLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n";
}

function hasBlock(text: string): boolean {
  return BLOCK_SIGNS.some((sign) => text.includes(sign)) && BLOCK.test(text);
}
