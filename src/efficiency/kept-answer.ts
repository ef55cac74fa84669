import type { ChatMessage } from "../providers/index.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/**
 * Lines that programs read in an answer: tags, by which tools are called and thoughts are told apart, the signs around
 * what is searched for and put in its place, and those of a patch.
 */
const CALL_LINE =
  /^[ \t]*(?:<[/|｜]?[a-z_]|(?:<{5,9}|>{5,9}|-{5,9}|\+{5,9}) ?[a-z]|\*{3} (?:Begin|Update|Add) )/im;
const THOUGHT = /<\/?think(?:ing)?>/i;
/** One of these is in each of them, and in few answers. */
const SIGNS = ["<", ">>>>>", "-----", "+++++", "*** "];

/**
 * Whether what the model said stays as it is: what it did or thought is written in the text itself, or its provider has
 * signed something of it. Signed thoughts are put back by how many characters stand between them.
 */
export function isKeptAnswer({ content, reasoning = [] }: Assistant): boolean {
  if (reasoning.some(({ signature }) => signature !== undefined)) return true;
  if (content === null || !SIGNS.some((sign) => content.includes(sign))) return false;
  return CALL_LINE.test(content) || THOUGHT.test(content);
}
