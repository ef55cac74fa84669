import type { ChatMessage } from "../providers/index.ts";
import { isFileName } from "./calls/names-file.ts";
import { scanJson } from "./json/json-tape.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/** At the start of a line: by tags tools are called and thoughts are told apart. Some models have signs of their own. */
const TAG = /<[/|｜]?[a-z_]/iy;
/** In a line as well. */
const THOUGHT = /<\/?think(?:ing)?>/iy;
/** The lines around what is searched for and put in its place, and those of a patch. */
const BLOCK = /^[ \t]*(?:(?:<{5,9}|>{5,9}|-{5,9}|\+{5,9}) ?[a-z]|\*{3} (?:Begin|Update|Add) )/im;
/** One of these is in each of them, and in few answers. */
const BLOCK_SIGNS = [">>>>>", "+++++", "*** "];

/** What agents without calls of their own tell their programs to do, with words behind it or a fence below it. */
const ACTION = /^[ \t]*Action(?: Input:|:[ \t]*\r?\n[ \t]*(?:`{3}|\{))/m;
const CALLS = /^[ \t]*\[TOOL_CALLS\]/m;
/** A whole file under its name, which is put in the place of the old one; of fences with tags those that hold data are not kept. */
const NAMED_FENCE =
  /^[ \t]*[*`]{0,3}([^\s*`]{1,200})[*`:]{0,4}\r?\n(?:`{3,}|~{3,})(?:json|text|txt|console|log)?[ \t]*\r?$/gim;
const FENCES = ["\n```", "\n~~~"];

/**
 * Whether what the model said stays as it is: what it did or thought is written in the text itself, or its provider has
 * signed something of it. Signed thoughts are put back by how many characters stand between them.
 */
export function isKeptAnswer({ content, reasoning = [] }: Assistant): boolean {
  if (reasoning.some(({ signature }) => signature !== undefined)) return true;
  if (content === null) return false;
  return hasTag(content) || hasBlock(content) || hasAction(content) || isData(content);
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

function hasAction(text: string): boolean {
  if (text.includes("Action") && ACTION.test(text)) return true;
  return text.includes("[TOOL_CALLS]") && CALLS.test(text);
}

/** A program reads it, as an object or as a file. */
function isData(text: string): boolean {
  return scanJson(text) !== null || (FENCES.some((sign) => text.includes(sign)) && hasNamedFence(text));
}

function hasNamedFence(text: string): boolean {
  for (const [, name = ""] of text.matchAll(NAMED_FENCE)) if (isFileName(name.replace(/:$/, ""))) return true;
  return false;
}
