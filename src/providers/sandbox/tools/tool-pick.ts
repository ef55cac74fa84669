import { isObject } from "../../../kit/index.ts";
import type { Tool } from "../../contract.ts";
import { identifierWords, stem } from "../fill/identifier.ts";
import { createEffort, createSchemaReader, type Effort } from "../fill/schema-reader.ts";
import { asksForTheTool, type Described, toolAskedByVerb } from "./asked-tool.ts";
import { createSpokenNames, type SpokenName, type SpokenNames, type TextPlace } from "./spoken-name.ts";
import { createWishes, isUnwanted } from "./wish.ts";

const MAX_PICKED = 8;
const MAX_TOOLS_READ = 256;
const MAX_DESCRIPTION_CHARACTERS = 300;
/** Of one name in a prompt, so that a prompt of nothing else stays cheap. */
const MAX_OCCURRENCES = 32;
const MAX_PROMPT_CHARACTERS = 8000;
/** Words shared with a description before a tool counts as described by the prompt. */
const MIN_SHARED_WORDS = 3;

/** Say how a tool works, not what it is about: "write" in a prompt rarely means the tool `write`. */
const COMMON = new Set(
  "a an and any as at by call can create current delete do edit execute fetch file files find for from get given in is it list look lookup make new of on or read run search send set show task text that the this to tool tools up update use user using with write you your function return returns".split(
    " ",
  ),
);

/** The tools that the prompt names, or those whose subject it speaks of; none when it does neither. */
export function pickTools(prompt: string, tools: readonly Tool[]): Tool[] {
  const text = prompt.slice(0, MAX_PROMPT_CHARACTERS);
  const candidates = tools.slice(0, MAX_TOOLS_READ);
  const placed = candidates.map((tool) => ({ tool, at: placeOfName(tool, text)?.at ?? -1 }));
  const named = placed
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ tool }) => tool);
  if (named.length > 0) return named.slice(0, MAX_PICKED);
  // One that is named all the same is refused or asked about: nothing else that is said asks for it.
  const open = candidates.filter((tool) => placeOfName(tool, text, () => true) === undefined);
  const words = new Set(wordsOf(text));
  const meant = meantTools(open, { text, words, spoken: createSpokenNames(text) });
  if (meant.length > 0) return meant.slice(0, MAX_PICKED);
  const effort = createEffort();
  const runner = /^\W{0,3}(?:please )?(?:run|execute)\b/i.test(text)
    ? open.find((tool) => takesCommand(tool, effort))
    : undefined;
  const described = open.map(describe);
  const wishes = createWishes(text);
  const asking = { text, said: words, wishes, effort };
  const best = runner ?? toolAskedByVerb(described, asking) ?? mostShared(described, words);
  if (best !== undefined) return [best];
  return tools.length === 1 && asksForTheTool(text, wishes) ? open : [];
}

/** By their subject, or by all words of their names together: these leave out others that are about the same. */
function meantTools(
  tools: readonly Tool[],
  { text, words, spoken }: { text: string; words: ReadonlySet<string>; spoken: SpokenNames },
): Tool[] {
  const said = tools.flatMap((tool) => {
    const place = spoken(wordsOfName(tool));
    return place === undefined ? [] : [{ tool, place, words: wordsOfName(tool).map(stem) }];
  });
  const isBetter = (one: SpokenName, other: SpokenName) =>
    other.at <= one.at &&
    one.end <= other.end &&
    (one.end - one.at < other.end - other.at || (one.isMeant && !other.isMeant));
  return tools.filter((tool) => {
    const own = said.find((each) => each.tool === tool);
    if (own !== undefined) {
      return own.place.isWished && !said.some(({ place }) => isBetter(own.place, place));
    }
    const subject = subjectOf(tool).map(stem);
    const isNamed = said.some((each) => subject.every((word) => each.words.includes(word)));
    if (!isSubject(tool, words) || isNamed) return false;
    const place = placeOfSubject(tool, text, [tool]);
    return place === undefined || !isUnwanted(text, place.at, false);
  });
}

function wordsOfName({ name }: Tool): string[] {
  return identifierWords(plainName(name));
}

/** Tools of a namespace come as `namespace__name`. */
export function plainName(name: string): string {
  const at = name.lastIndexOf("__");
  return at < 0 ? name : name.slice(at + "__".length);
}

export function placeOfName(tool: Tool, text: string, counts = isWanted): TextPlace | undefined {
  for (const name of [tool.name, plainName(tool.name)]) {
    const at = positionOf(name, text, counts);
    if (at >= 0) return { at, end: at + name.length };
  }
  return undefined;
}

/** The first word of the text that the tool is about, and none of the others where it has such a word. */
export function placeOfSubject(tool: Tool, text: string, tools: readonly Tool[]): TextPlace | undefined {
  const others = new Set(tools.flatMap((other) => (other === tool ? [] : subjectOf(other).map(stem))));
  const words = subjectOf(tool).map(stem);
  const own = words.filter((word) => !others.has(word));
  const spoken = own.length > 0 ? undefined : createSpokenNames(text)(wordsOfName(tool));
  if (spoken?.isWished) return spoken;
  const subject = new Set(own.length > 0 ? own : words);
  for (const { 0: word, index: at } of text.matchAll(/[a-z\d]{3,}/gi)) {
    if (subject.has(stem(word.toLowerCase()))) return { at, end: at + word.length };
  }
  return undefined;
}

/** Where the name stands as a word of its own; a common verb needs "tool" after it or "call" before it. */
function positionOf(name: string, text: string, counts: typeof isWanted): number {
  const lower = text.toLowerCase();
  const wanted = name.toLowerCase();
  const isPlainVerb = COMMON.has(wanted);
  let at = wanted === "" ? -1 : lower.indexOf(wanted);
  for (let tries = 0; at >= 0 && tries < MAX_OCCURRENCES; tries++) {
    const end = at + wanted.length;
    const isWord = !isNameCharacter(lower[at - 1]) && !isNameCharacter(lower[end]);
    if (isWord && (!isPlainVerb || isCalled(lower, at, end)) && counts(lower, at)) return at;
    at = lower.indexOf(wanted, end);
  }
  return -1;
}

function isWanted(text: string, at: number): boolean {
  return !isUnwanted(text, at, true);
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character);
}

function isCalled(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 16), start);
  const after = text.slice(end, end + 12);
  return (
    /\b(?:call|use|using|invoke)\s(?:the\s)?["'`]?$/.test(before) ||
    /^["'`]?\s(?:tool|function)\b/.test(after)
  );
}

/** Every word of its name that says something is in the prompt: `get_weather` and "the weather in Paris". */
function isSubject(tool: Tool, words: ReadonlySet<string>): boolean {
  const subject = subjectOf(tool);
  return subject.length > 0 && subject.every((word) => words.has(stem(word)));
}

function subjectOf({ name }: Tool): string[] {
  // A conversation is handed over by what the one is called that takes it.
  const handed = /^(?:transfer|hand_?off|delegate)_to_(.+?)(?:_agent)?$/.exec(name)?.[1];
  return identifierWords(handed ?? name).filter((word) => !COMMON.has(word) && word.length > 2);
}

function takesCommand({ parameters }: Tool, effort: Effort): boolean {
  const { properties } = createSchemaReader(parameters, effort).resolve(parameters);
  return isObject(properties) && (Object.hasOwn(properties, "command") || Object.hasOwn(properties, "cmd"));
}

function describe(tool: Tool): Described {
  const name = wordsOfName(tool);
  const told = (tool.description ?? "").slice(0, MAX_DESCRIPTION_CHARACTERS);
  return { tool, name, words: new Set(wordsOf(`${identifierWords(tool.name).join(" ")} ${told}`)) };
}

function mostShared(tools: readonly Described[], said: ReadonlySet<string>): Tool | undefined {
  let best: { tool: Tool; shared: number } | undefined;
  for (const { tool, words } of tools) {
    const shared = [...words].filter((word) => said.has(word)).length;
    if (shared >= MIN_SHARED_WORDS && shared > (best?.shared ?? 0)) best = { tool, shared };
  }
  return best?.tool;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z\d]{3,}/g) ?? [];
  return words.filter((word) => !COMMON.has(word)).map(stem);
}
