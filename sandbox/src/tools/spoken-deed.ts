/** Which tools a prompt asks for by a verb, and which one if the verb fits several. */

import { FILE } from "../fill/prompt-shapes.ts";
import type { RequestedActions } from "./requested-actions.ts";
import { SQL } from "./said-arguments.ts";
import { MONEY } from "./said-counts.ts";
import {
  isAnyMadeOf,
  isDeedOfNobody,
  isSayingVerb,
  type KnownTool,
  meansVerb,
  type Phrase,
  verbStem,
  verbsOfAny,
} from "./tool-words.ts";

export type TextPlace = { readonly at: number; readonly end: number };

/** A requested tool: where its verb, name or subject is mentioned, and where its last word is. */
export type Picked = TextPlace & { readonly known: KnownTool; readonly last: TextPlace };

type SaidWord = TextPlace & { readonly stem: string };

/** How well a request matches a tool; sorted best first. */
type Match = Picked & {
  readonly rank: number;
  readonly missing: number;
  readonly agrees: boolean;
  readonly isOwn: boolean;
};

/** Verbs in a prompt that are tried. */
const MAX_OCCURRENCES = 64;
const MAX_WORDS_BETWEEN = 8;
const MAX_CHARACTERS_BEHIND = 400;
const SMALL_WORDS = new Set("about as by for from in of on off out over to up who which with".split(" "));
/** Words that belong to a verb, not to an object: "turn it off". */
const PARTICLES = new Set(["on", "off", "up", "out"]);

const SOMEBODY = /^\s(?:\S{1,64}@|\p{Lu}|(?:me|him|her|them|us|my|the|everyone)\b)/u;
/** Only the object follows: "Play Bohemian Rhapsody". */
const NAME_ALONE = /^(?:\s\p{Lu}[\p{L}\d'’-]{0,40}){1,6}(?:[.!?]|$|\s(?:by|please)\b)/u;
/** Objects that "on" and "off" stand for. */
const SWITCHED = new Set(["power", "state", "status"]);

const MONEY_FOR = new RegExp(`${MONEY}\\s(?:for|of|on|to)\\b`);
/** Objects that a prompt shows instead of naming: the words for them, and what they look like. */
const FILE_SHAPE = new RegExp(`${FILE.source}(?<!/)`, "i");
const SHOWN: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [new Set("file filename filepath path document".split(" ")), FILE_SHAPE],
  [new Set("url uri link page website site web browser".split(" ")), /\bhttps?:\/\/\S+/],
  [new Set(["sql", "query", "statement"]), SQL],
  [new Set(["money", "fund", "payment"]), new RegExp(MONEY)],
];
/** Directly before what is shown. Text to be written may precede it: "write hello to a.txt". */
const LEAD = "\\s(?:(?:the|an?|my|our|this|these|both|new|files?)\\s){0,3}[\"'`]?";
const PASSED_TO = `(?:\\s"[^"\\n]*"|[^.?!\\n]|[.?!](?!\\s)){1,200}?\\s(?:in)?to`;
/** "a.txt in b" or "a.txt's end" means another file, or a part of it. */
const PART = /^(?:['’]s|\s(?:from|in|of)\b)/;
/** The object's phrase ends here: "the branch old", but not "the branch variable of". */
const ENDS =
  /^(?:["'”]?[^\w\s'’]|$|\s(?:$|[^a-z]|[\w-]+\s?[:=]|(?:about|again|and|as|at|because|by|called|code|containing|entitled|for|from|id|in|lasting|named|no|now|number|of|off|on|or|out|please|saying|that|then|titled|to|today|tomorrow|tonight|up|using|via|which|with|\w+ly)\b))/;
const BARE_END = /^\s[\w-]+(?:[.?!,]*(?:\s*$|(?<=\W)\s)|\s(?:in|of|on)\s\S*[/\d])/;
const VALUE = /^\s(?:#?[\w-]*\d[\w-]*|[\w-]+\/[\w.-]+)/;

function isWhole(after: string): boolean {
  const behind = after.replace(VALUE, "");
  return ENDS.test(behind) || (behind === after && BARE_END.test(after));
}

/** The tools that the prompt asks for, each by its verb: "delete the user 17", "search the web", "read a.txt". */
export function spokenDeeds(
  text: string,
  tools: readonly KnownTool[],
  requested: RequestedActions,
): Picked[] {
  const said = [...text.matchAll(/[\p{L}\d_'’-]+/gu)].map(({ 0: word, index: at }): SaidWord => {
    return { stem: verbStem(word), at, end: at + word.length };
  });
  const isVerbOfAny = verbsOfAny(tools);
  const picked: Picked[] = [];
  let tried = 0;
  for (const [start, { stem, at }] of said.entries()) {
    if (!isVerbOfAny(stem)) continue;
    if (++tried > MAX_OCCURRENCES) break;
    if (!requested.isDeed(at)) continue;
    const isOpen = ({ tells, passesText }: KnownTool) => tells || !requested.isSparing(at, passesText);
    const matches = tools.filter(isOpen).flatMap((known) => matchOf(known, { said, start, text }) ?? []);
    for (const match of bestOf(matches, text)) {
      if (!picked.some(({ known }) => known === match.known)) picked.push(match);
    }
  }
  return picked;
}

/** "orders", but not "orders 1 and 2", which are handled one by one. */
export function isSaidOfMany(text: string, { at, end }: TextPlace): boolean {
  return /s$/i.test(text.slice(at, end)) && !/^\s#?\d/.test(text.slice(end, end + 3));
}

/** All tools that are fully named, each by a different object; else the best match. */
function bestOf(matches: readonly Match[], text: string): Match[] {
  const inOrder = matches.toSorted(
    (one, other) =>
      other.rank - one.rank ||
      one.missing - other.missing ||
      Number(other.agrees) - Number(one.agrees) ||
      Number(other.isOwn) - Number(one.isOwn),
  );
  const full = inOrder.filter(({ rank }) => rank === RANKS.named);
  if (full.length === 0) return inOrder.slice(0, 1);
  return full.filter((match, at) => {
    const isFirst = full.findIndex(({ last }) => last.end === match.last.end) === at;
    const goesOn = (other: Match) =>
      other.last.at > match.last.end && /^\s+$/.test(text.slice(match.last.end, other.last.at));
    return isFirst && !full.some(goesOn);
  });
}

const RANKS = { named: 3, described: 2, shown: 1 };

type Start = { readonly said: readonly SaidWord[]; readonly start: number; readonly text: string };

function phraseFor({ named, described }: KnownTool, verb: string): Phrase | undefined {
  if (
    isSending(named, verb) ||
    meansVerb(verb, named.verb) ||
    isAnyMadeOf([named.verb, ...named.objects], verb)
  )
    return named;
  return described !== undefined && meansVerb(verb, described.verb) ? described : undefined;
}

/** "Email Bob" means to send him an email. */
function isSending({ verb, objects }: Phrase, said: string): boolean {
  return verb === "send" && objects.length === 1 && objects[0] === said;
}

function matchOf(known: KnownTool, from: Start): Match | undefined {
  const { named, described, tells } = known;
  const verb = from.said[from.start];
  if (verb === undefined || phraseFor(known, verb.stem) === undefined) return undefined;
  const { at, end } = verb;
  const behind = from.text.slice(end, end + MAX_CHARACTERS_BEHIND);
  const isOwn = verb.stem === named.verb;
  const match = (rank: number, missing: number, last: TextPlace): Match => {
    const agrees = known.isMany === isSaidOfMany(from.text, last);
    return { known, at, end, last, rank, missing, agrees, isOwn };
  };
  for (const [phrase, rank] of [
    [named, RANKS.named],
    [described, RANKS.described],
  ] as const) {
    if (phrase === undefined || phrase.objects.length === 0 || !meansVerb(verb.stem, phrase.verb)) continue;
    const isSwitched = /^[^.?!\n]{0,60}\b(?:on|off)\b/i.test(behind);
    const objects = phrase.objects.filter(
      (word, at) => !(tells && word === "all") && (at === 0 || !isSwitched || !SWITCHED.has(word)),
    );
    const last = lastObject(objects, tells, from);
    if (last !== undefined && (tells || isWhole(from.text.slice(last.end, last.end + MAX_CHARACTERS_BEHIND))))
      return match(rank, 0, last);
  }
  const isMade = isAnyMadeOf([named.verb, ...named.objects], verb.stem);
  if (isMade || takesShown(known, verb.stem, behind)) return match(RANKS.shown, 0, verb);
  if (isSending(named, verb.stem) && SOMEBODY.test(behind)) return match(RANKS.named, 0, verb);
  if (!meansVerb(verb.stem, named.verb)) return undefined;
  const isSaying =
    isOwn && isSayingVerb(verb.stem) && (named.objects.length === 0 || NAME_ALONE.test(behind));
  return isSaying || isDeedOfNobody(verb.stem, known, behind)
    ? match(RANKS.shown, named.objects.length, verb)
    : undefined;
}

/**
 * Finds the objects in order, within the sentence. For tools that change something they must be close to the verb:
 * "delete the note about user 17" does not delete a user.
 */
function lastObject(objects: readonly string[], tells: boolean, from: Start): TextPlace | undefined {
  const { said, start, text } = from;
  let last = start;
  for (const wanted of objects) {
    const behind = said
      .slice(last + 1, last + MAX_WORDS_BETWEEN + 2)
      .findIndex(({ stem }) => stem === wanted);
    const next = last + 1 + behind;
    const [before, found] = [said[last], behind < 0 ? undefined : said[next]];
    if (before === undefined || found === undefined) return undefined;
    const between = text.slice(before.end, found.at);
    if (between.length > MAX_CHARACTERS_BEHIND || /[.!?;:]\s/.test(between)) return undefined;
    if (!SMALL_WORDS.has(wanted) && !isNear(between, tells)) return undefined;
    last = next;
  }
  return said[last];
}

function isNear(between: string, tells: boolean): boolean {
  if (tells) return !/[,()]/.test(between);
  const own = between.split(/,|\b(?:and|or)\b/).at(-1) ?? "";
  // A recipient or an amount may be in between.
  const words =
    own
      .replace(/\S{1,64}@\S{1,64}/, "")
      .replace(MONEY_FOR, "")
      .toLowerCase()
      .match(/[\p{L}\d'’-]+/gu) ?? [];
  const isJoined = own === between || /\b(?:and|or)\s+(?:an?|the|my|all)\b/.test(between);
  return isJoined && words.every((word) => PARTICLES.has(word) || !SMALL_WORDS.has(word));
}

/**
 * The prompt shows what the tool takes, and the tool's name says no more than that. For tools that change something it
 * must directly follow the verb, and be meant as a whole.
 */
function takesShown({ named, takes, tells, passesText }: KnownTool, verb: string, behind: string): boolean {
  return SHOWN.some(([words, shape]) => {
    if (!named.objects.every((word) => words.has(word))) return false;
    if (named.objects.length === 0 && ![...takes].some((word) => words.has(word))) return false;
    if (tells) return shape.test(behind);
    const lead = passesText && !meansVerb(verb, "make") ? `(?:${LEAD}|${PASSED_TO}${LEAD})` : LEAD;
    const found = new RegExp(`^${lead}(?:${shape.source})`, shape.flags).exec(behind);
    const after = behind.slice(found?.[0].length);
    return found !== null && !(shape === FILE_SHAPE && PART.test(after)) && ENDS.test(after);
  });
}
