import { knownItems } from "./known-items.ts";
import { countOf, NUMBER_WORD } from "./number-word.ts";

const COUNT = `(?:\\d{1,6}|${NUMBER_WORD})`;
/** Words between the request and the number, or before the noun, that change nothing. */
const FILLER = "(?:me|us|all|any|at least|exactly|just|of|please|some|the|a few|a list of|first|top)";
/** Only fillers may stand before the number: "Tell me what 5 means" does not ask for five things. */
const COUNTED = new RegExp(
  `\\b(?:list|name|give (?:me|us)|suggest|top|brainstorm|tell (?:me|us))\\s{1,3}(?:${FILLER}\\s{1,3}){0,4}(${COUNT})\\s{1,3}(\\p{L}[^\\n.?!:;]{1,60})`,
  "iu",
);
const UNCOUNTED = new RegExp(
  `^\\W{0,3}(?:(?:hi|hello|hey|ok|thanks)\\W{1,3})?(?:please |(?:can|could|would|will) you (?:please )?)?(?:list|name|suggest|brainstorm|(?:give|make|write)(?: me| us)? a list of|what are(?= the (?:week)?(?:days|months|planets|seasons|continents|oceans)(?: (?:of|in) (?:the|a|our) (?:week|year|world|solar system))?\\W{0,3}$))\\s{1,3}(?:${FILLER}\\s{1,3}){0,4}((?:an?\\s)?\\p{L}[^\\n.?!:;]{1,60})`,
  "iu",
);
/** Units of a text's length, not of a number of items. */
const MEASURE =
  /^(?:words?|sentences?|paragraphs?|lines?|characters?|tokens?|pages?|seconds?|minutes?|hours?)\b/i;
/** Before the list: what is asked for is code that works with so many things, and they are not to be named. */
const CODE = /\b(?:code|query|sql|function|method|class|script|program|regex|formula)\b/i;
const POINTED_AT = /^(?:to|it|this|that|them|these|those|more|others?)\b/i;
const ANOTHER_COUNT = new RegExp(`,?\\s(?:and|or)\\s(?=${COUNT}\\s)|,\\s(?=${COUNT}\\s)`, "iu");
const COUNTED_PART = new RegExp(`^(${COUNT})\\s+(.*)$`, "iu");
const DEFAULT_ITEMS = 5;
const MAX_ITEMS = 50;

const NONE = /^(?:0+|zero)$/i;
/** "5 ideas for: a blog": what a topic would end with. */
const DANGLING = /\s(?:about|for|from|in|of|on|to|with)$/i;

/** A requested list, with placeholders for unknown items. `isCut`: it is shorter than requested. */
type Listing = {
  readonly topic: string;
  readonly items: readonly string[];
  readonly isKnown: boolean;
  readonly isCut: boolean;
};

/** A numbered list with as many items as requested; null if no list is requested. */
export function answerListing(text: string): string | null {
  const listing = listingIn(text);
  if (listing === null) return null;
  const lines = listing.items.map((item, at) => `${at + 1}. ${item}`);
  const cut = listing.isCut ? ` (${MAX_ITEMS} at most)` : "";
  return `A list from the sandbox, ${listing.topic}${cut}:\n${lines.join("\n")}`;
}

export function listingIn(text: string): Listing | null {
  const counted = COUNTED.exec(text);
  const topic = (counted?.[2] ?? UNCOUNTED.exec(text)?.[1])?.trim().replace(DANGLING, "");
  if (topic === undefined || MEASURE.test(topic) || POINTED_AT.test(topic)) return null;
  const [, said = ""] = counted ?? [];
  if (NONE.test(said) || (counted !== null && CODE.test(text.slice(0, counted.index)))) return null;
  const parts = topic.split(ANOTHER_COUNT).map((part, at) => {
    const [, count, rest] = (at > 0 && COUNTED_PART.exec(part)) || ["", counted?.[1], part];
    return itemsOf(rest ?? "", count);
  });
  const items = parts.flat().slice(0, MAX_ITEMS);
  // "Name the capital of France" is a question, and a placeholder would not answer it.
  if (counted === null && items.length === 1 && items[0] === undefined && !/^an?\s/i.test(topic)) return null;
  return {
    topic,
    items: items.map((item, at) => item ?? placeholder(at)),
    isKnown: items.every((item) => item !== undefined),
    isCut: (countOf(said, Number.POSITIVE_INFINITY) ?? 0) > MAX_ITEMS,
  };
}

function itemsOf(topic: string, said: string | undefined): (string | undefined)[] {
  const known = knownItems(topic);
  const usual = isPlural(topic) ? (known?.length ?? DEFAULT_ITEMS) : 1;
  const count = countOf(said ?? "", MAX_ITEMS) ?? usual;
  return Array.from({ length: count }, (_, at) => known?.[at]);
}

/** Judged by the noun, which precedes its qualifiers: "countries of South America". */
function isPlural(topic: string): boolean {
  if (/^an?\s/i.test(topic)) return false;
  const [noun = ""] = topic.split(/\s(?:about|and|at|for|from|in|of|on|or|that|to|which|who|with)\s/i);
  return /(?:[^su]s(?: (?:from )?\d.*)?|people|men|women|children|mice|feet|teeth)$/i.test(noun.trim());
}

const ANGLES = [
  "a simple one",
  "a bold one",
  "a cheap one",
  "a classic one",
  "an unusual one",
  "a quick one",
];

function placeholder(at: number): string {
  return `${ANGLES[at % ANGLES.length]} (placeholder ${at + 1})`;
}
