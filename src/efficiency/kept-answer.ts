import type { ChatMessage } from "../providers/index.ts";
import { isFileName } from "./calls/names-file.ts";
import { scanJson } from "./json/json-tape.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/** At the start of a line: tags of tool calls and reasoning. Some models use special characters in them. */
const TAG = /<[/|｜]?[a-z_]/iy;
/** Anywhere in a line. */
const THOUGHT = /<\/?think(?:ing)?>/iy;
/** Markers of search/replace blocks, and of patches. */
const BLOCK = /^[ \t]*(?:(?:<{5,9}|>{5,9}|-{5,9}|\+{5,9}) ?[a-z]|\*{3} (?:Begin|Update|Add) )/im;
/** Each of them contains one of these, and few answers do. */
const BLOCK_SIGNS = [">>>>>", "+++++", "*** "];

/** ReAct-style actions of agents without native tool calls, with text after it or a fence below it. */
const ACTION = /^[ \t]*Action(?: Input:|:[ \t]*\r?\n[ \t]*(?:`{3}|\{))/m;
const CALLS = /^[ \t]*\[TOOL_CALLS\]/m;
/**
 * A complete file below its name, which a program writes over the old one. Fences with a language tag need no rule
 * here: they are never changed.
 */
const NAMED_FENCE =
  /^[ \t]*[*`]{0,3}([^\s*`]{1,200})[*`:]{0,4}\r?\n(?:`{3,}|~{3,})(?:json|text|txt|console|log)?[ \t]*\r?$/gim;
const FENCES = ["\n```", "\n~~~"];

/**
 * True if assistant text must stay as it is: it contains tool calls, edits or reasoning that a program reads, or its
 * provider has signed some of its reasoning. (Signed reasoning is put back by the number of characters between its
 * parts.)
 */
export function isKeptAnswer({ content, reasoning = [] }: Assistant): boolean {
  if (reasoning.some(({ signature }) => signature !== undefined)) return true;
  if (content === null) return false;
  return hasTag(content) || hasBlock(content) || hasAction(content) || isData(content);
}

/** A plain loop, since most answers contain no tag at all. */
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

/** Data that a program reads: a JSON value, or a file. */
function isData(text: string): boolean {
  return scanJson(text) !== null || (FENCES.some((sign) => text.includes(sign)) && hasNamedFence(text));
}

function hasNamedFence(text: string): boolean {
  for (const [, name = ""] of text.matchAll(NAMED_FENCE)) if (isFileName(name.replace(/:$/, ""))) return true;
  return false;
}
