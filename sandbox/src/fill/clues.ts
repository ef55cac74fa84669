import { clip } from "../words.ts";
import { PHONE } from "./field-kinds.ts";
import { type Labels, readLabels } from "./labels.ts";
import { withoutMoments, withoutSpokenDays } from "./moments.ts";
import { numberIn } from "./number-in.ts";
import { unitAfter } from "./units.ts";

/** Everything in a prompt that could be an argument: read once, each taken at most once. */
export type Clues = {
  readonly text: string;
  /** The whole prompt, if `text` is only a part of it. */
  readonly prompt: string;
  /** The answer to the user, for tools or schemas that take one. */
  readonly answer?: string;
  /** Small talk as an answer: only for fields that are plainly a reply, since the prompt says more about the rest. */
  readonly talk?: string;
  /** The result of a calculation that the prompt asks for. */
  readonly sum?: number;
  readonly quoted: readonly string[];
  readonly numbers: readonly number[];
  /** The unit of each of `numbers`. */
  readonly units: readonly string[];
  /** Capitalised phrases, with the lower-case word before them: "from Paris" is [from, Paris]. */
  readonly names: readonly { readonly before: string; readonly name: string }[];
  readonly labels: Labels;
};

const MAX_READ_CHARACTERS = 8000;
/** Limit for tool results, so that the prompt is read as well. */
const MAX_RESULT_CHARACTERS = 6000;
const MAX_CLUES = 64;

const QUOTED = /"([^"\n]{1,500})"|“([^“”\n]{1,500})”|`([^`\n]{1,500})`|(?:^|\s)'([^'\n]{1,500})'(?=\W|$)/g;
/** Complete numbers, with thousands separators; no part of a version or of `INV-2024-001`. */
const NUMBER =
  /(?<![\w.]|[A-Za-z]-[\d-]{0,20})-?(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,15})(?:\.\d{1,15})?(?!\w|\.\d|,\d{3}(?!\d))/g;
const NAME =
  /(?:(?<![\p{L}\d_])(\p{Ll}{1,12})\s{1,3})?(?<![\p{L}\d_'])((?:(?:St|Mt|Ft)\. )?\p{Lu}[\p{L}'-]{1,40}(?:(?: (?:de|da|do|del|di|la))? \p{Lu}[\p{L}'-]{1,40}){0,3})(?![\p{L}\d]|-\w{0,20}\d|’t\b)/gu;

/** "jason is 25": a lower-case name, used if there is no other. */
const SMALL_NAME = /(?<![\p{L}\d_'])(\p{Ll}{2,20}) (?:is|was|turned|turns) \d/gu;
/** The content follows it: "Return JSON: …". */
const INSTRUCTION = /^\W{0,3}(?:please )?(\p{L}{1,20})[^:.?!\n]{0,80}:\s/iu;

/** Capitalised words that only begin a sentence, in English and in questions and requests of other languages. */
const OPENERS = new Set(
  [
    "a all an and are as ask at book buy call can check compute convert could create delete do does execute explain fetch find for from get give hello hey hi how i if in is it let list look make my now of ok on open or order please put read run say schedule search send set should show tell thanks the then there this to translate two update use using what what's when where which who whose why will with work write yes you",
    "analyse analyze categorise categorize classify describe detect determine extract fill generate identify output parse provide recognise recognize return summarise summarize take",
    "age he her his its json she that these they those we xml yaml",
    "bitte gib ist kannst sag verwende wann warum was welche welcher welches wer wie wo zeig",
    "combien comment donne donnez est montre où pour pourquoi quand quel quelle quelles quels qui trouve utilise utilisez",
    "che come cosa cual cuál cuando cuándo cuánto cómo como dame dime donde dónde dove por qual quale quando quanto que quién qué usa",
  ].flatMap((words) => words.split(" ")),
);

const CONTRACTED = /^(\p{Ll}+)'(?:d|ll|m|re|s|ve)$/u;

export function readClues(prompt: string): Clues {
  const text = prompt.slice(0, MAX_READ_CHARACTERS);
  const numbers = numbersIn(withoutMoments(text.replace(PHONE, " ")));
  const undated = withoutSpokenDays(text);
  return {
    text,
    prompt: text,
    quoted: matches(text, QUOTED).map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? ""),
    numbers: numbers.map(({ value }) => value),
    units: numbers.map(({ unit }) => unit),
    names: namesOf(undated),
    labels: readLabels(text),
  };
}

/** Tool results come before the prompt, as its content. Quotes in them are ignored: most are JSON field names. */
export function readCluesOfResults(results: readonly string[], prompt: string): Clues {
  const asked = readClues(prompt);
  if (results.length === 0) return asked;
  const told = clip(results.join("\n"), MAX_RESULT_CHARACTERS);
  return { ...readClues(`${told}\n${prompt}`), quoted: asked.quoted, prompt: told };
}

/** Names in the content come before those in the instruction. */
function namesOf(text: string): Clues["names"] {
  const [lead = "", verb = ""] = INSTRUCTION.exec(text) ?? [];
  const start = OPENERS.has(verb.toLowerCase()) ? lead.length : 0;
  const found = matches(text, NAME).flatMap((match) => {
    const [, before = "", phrase = ""] = match;
    const names = isCode(text, match.index, phrase) ? [{ before, name: phrase }] : namesIn(before, phrase);
    return names.map((name) => ({ name, isLater: match.index < start }));
  });
  if (found.length === 0) return matches(text, SMALL_NAME).flatMap(([, name = ""]) => namesIn("", name));
  const inOrder = found.toSorted((one, other) => Number(one.isLater) - Number(other.isLater));
  return inOrder.map(({ name }) => name);
}

function matches(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) if (found.push(match) >= MAX_CLUES) break;
  return found;
}

function numbersIn(text: string): { value: number; unit: string }[] {
  return matches(text, NUMBER).flatMap((match) => {
    const value = numberIn(match[0]);
    return value === undefined ? [] : [{ value, unit: unitAfter(text, match.index + match[0].length) }];
  });
}

/** A state as in "Portland, OR", which does not begin a sentence. */
function isCode(text: string, at: number, phrase: string): boolean {
  return /^[A-Z]{2}$/.test(phrase) && /\p{Ll}, $/u.test(text.slice(Math.max(0, at - 3), at));
}

function namesIn(before: string, phrase: string): { before: string; name: string }[] {
  const words = phrase.replace(/'s$/, "").split(" ");
  while (words.length > 0 && isOpener(words[0] ?? "")) words.shift();
  return words.length === 0 ? [] : [{ before, name: words.join(" ") }];
}

/** "I'm" and "Don't" are not names. */
function isOpener(word: string): boolean {
  const lowered = word.toLowerCase();
  const [, before] = CONTRACTED.exec(lowered) ?? [];
  return OPENERS.has(lowered) || lowered.endsWith("n't") || (before !== undefined && OPENERS.has(before));
}
