import { isObject } from "../../../kit/index.ts";
import type { Tool } from "../../contract.ts";
import { identifierWords, stem } from "../fill/identifier.ts";
import { createSchemaReader, type Effort } from "../fill/schema-reader.ts";
import { SYNONYMS } from "./spoken-name.ts";
import type { Wishes } from "./wish.ts";

/** What is known of a tool by its words: of its name, and those of name and description that say something. */
export type Described = {
  readonly tool: Tool;
  readonly name: readonly string[];
  readonly words: ReadonlySet<string>;
};

/** Of the verbs of all tools in a prompt. */
const MAX_OCCURRENCES = 64;
/** However long a description is. */
const MOST_SHARED_WORDS = 3;
/** Nobody does these by talking: the verb alone asks for the tool of that name. */
const DEEDS = new Set(["search", "fetch"]);

/** A thing that a prompt shows instead of naming it, the words for it, and how it looks. */
const SHOWN: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [
    new Set("file files filename filepath path document".split(" ")),
    /(?<![\w.@:/~-])(?:[\w.~-]{0,80}\/[\w./-]{1,200}|[\w-]{2,80}\.[a-z]{1,4}\b)/i,
  ],
  [new Set("url uri link page website site web".split(" ")), /\bhttps?:\/\/\S/],
];

type Asking = {
  readonly text: string;
  /** All words of the prompt that say something. */
  readonly said: ReadonlySet<string>;
  readonly wishes: Wishes;
  readonly effort: Effort;
};

/**
 * The tool whose verb stands in the prompt as a wish, with half of what the tool is about, or with a thing of the kind
 * that it takes: "Search the web for cats", "Read main.py". A tool of one word needs only one more.
 */
export function toolAskedByVerb(tools: readonly Described[], asking: Asking): Tool | undefined {
  const { text, said, wishes } = asking;
  const verbs = new Set(tools.flatMap(verbsOf));
  const places = [...text.matchAll(/[\p{L}\d_'’-]+/gu)]
    .map(({ 0: word, index }) => ({ verb: stem(word.toLowerCase()), index }))
    .filter(({ verb }) => verbs.has(verb));
  const wished = new Set(
    places
      .slice(0, MAX_OCCURRENCES)
      .filter(({ index }) => wishes(index) === "called")
      .map(({ verb }) => verb),
  );
  let best: { tool: Tool; shared: number } | undefined;
  for (const described of wished.size === 0 ? [] : tools) {
    if (!verbsOf(described).some((verb) => wished.has(verb))) continue;
    const { tool, name, words } = described;
    const shared = [...words].filter((word) => said.has(word)).length;
    const least = name.length === 1 ? 1 : Math.min(MOST_SHARED_WORDS, Math.max(1, Math.ceil(words.size / 2)));
    const isDeed = name.length === 1 && wished.has(name[0] ?? "") && DEEDS.has(name[0] ?? "");
    const isEnough = shared >= least || isDeed || takesShown(described, asking);
    if (isEnough && shared > (best?.shared ?? -1)) best = { tool, shared };
  }
  return best?.tool;
}

/** The first word of the name, that of the description where it is a known verb, and what is said for them. */
function verbsOf({ tool, name }: Described): string[] {
  const [told = ""] = /[a-z]+/.exec((tool.description ?? "").slice(0, 40).toLowerCase()) ?? [];
  const named = stem(name[0] ?? "");
  return [...(SYNONYMS.get(named) ?? [named]), ...(SYNONYMS.get(stem(told)) ?? [])];
}

/** A parameter wants what the prompt shows, and the tool's name says no more than that. */
function takesShown({ tool: { parameters }, name }: Described, { text, effort }: Asking): boolean {
  const { properties } = createSchemaReader(parameters, effort).resolve(parameters);
  const wanted = isObject(properties) ? Object.keys(properties).flatMap(identifierWords) : [];
  return SHOWN.some(
    ([words, shape]) =>
      name.slice(1).every((word) => words.has(word)) &&
      wanted.some((word) => words.has(word)) &&
      shape.test(text),
  );
}

const USED = /\b(use|call|invoke|run|using|with)\s(?:the|your|this|that|a)\s(?:\w{1,20}\s)?tool\b/gi;
const ABOUT_USE = /\b(?:how|why|when|who|whether|if)\b[^.?!\n]*$/i;

/** "Use the tool", where there is only one. */
export function asksForTheTool(text: string, wishes: Wishes): boolean {
  return [...text.matchAll(USED)].slice(0, MAX_OCCURRENCES).some(({ 1: verb = "", index }) => {
    const wish = wishes(index);
    const isBeside = /^(?:using|with)$/i.test(verb) && wish === "unclear";
    return wish === "called" || (isBeside && !ABOUT_USE.test(text.slice(Math.max(0, index - 200), index)));
  });
}
