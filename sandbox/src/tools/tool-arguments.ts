import type { Tool } from "../../../gateway/src/contract/index.ts";
import { isObject } from "../../../gateway/src/kit/index.ts";
import { createClueReader, PLACE_WORDS } from "../fill/clue-match.ts";
import type { Clues } from "../fill/clues.ts";
import type { Toil } from "../fill/fill-state.ts";
import { hasAny, identifierWords, setOf } from "../fill/identifier.ts";
import type { JsonValue } from "../fill/json-value.ts";
import type { OptionBook } from "../fill/option-book.ts";
import { namedIn, requiredOf, typeOf } from "../fill/schema/schema-node.ts";
import { createEffort, createSchemaReader, type SchemaReader } from "../fill/schema/schema-reader.ts";
import { makeValue } from "../fill/schema/schema-value.ts";
import { requiredUnits } from "../fill/units.ts";
import type { Random } from "../random.ts";
import type { Argument } from "./argument.ts";
import { BEFORE_NUMBER, saidArguments } from "./said-arguments.ts";
import { knowTool, type Phrase, VERBS, verbStem } from "./tool-words.ts";

const MAX_CALLS_OF_ONE_TOOL = 8;
const MAX_PARAMETERS = 64;
const SINGLE_NAMES = setOf("city location place country town region address name person symbol");

/** Shared by all calls of one reply. */
export type CallMaking = { readonly random: Random; readonly options: OptionBook; readonly toil: Toil };

/** `text` is JSON. `unsaid` names an argument that the prompt had to give and did not. */
type MadeArguments = { readonly text: string; readonly unsaid: string | undefined };

/**
 * The arguments of one call, or of several if the prompt names several things: "in Paris and in Tokyo". All calls of a
 * reply are made in one event-loop turn: after one that used up the work budget, no other is made.
 */
export function toolArguments(
  tool: Tool,
  clues: Clues,
  { random, options: book, toil }: CallMaking,
): MadeArguments[] {
  // A tool without parameters takes an empty object, never a bare value.
  const schema = { type: "object", ...(isObject(tool.parameters) ? tool.parameters : {}) };
  const reader = createSchemaReader(schema);
  const { named, takes, tells } = knowTool(tool, createEffort());
  const all = argumentsOf(reader);
  const options = all.flatMap(({ schema: { enum: listed } }) => (Array.isArray(listed) ? listed : []));
  const asked = withoutDeed(clues, named, [...takes, ...options.filter((each) => typeof each === "string")]);
  const several = separateSaid(all, asked, named).flatMap((each) => separateClues(all, each));
  const units = requiredUnits(reader);
  return several.slice(0, MAX_CALLS_OF_ONE_TOOL).flatMap((each) => {
    if (toil.share >= 1) return [];
    const made = makeValue({
      reader,
      clues: createClueReader(each, book, units),
      random,
      optional: "from_prompt",
      toil,
    });
    const value = withCommandWords(made, each);
    const isSaid = createSaid(each.prompt);
    const unsaid = all.find(
      (argument) =>
        isActedOn(argument, tells) &&
        !each.labels.has(argument.name.toLowerCase()) &&
        !isSaid(isObject(value) ? value[argument.name] : undefined),
    );
    return [{ text: JSON.stringify(value), unsaid: unsaid?.name }];
  });
}

function argumentsOf(reader: SchemaReader): Argument[] {
  const node = reader.resolve(reader.root);
  const properties = namedIn(node, "properties");
  const required = new Set(requiredOf(node));
  const names = Object.keys(properties).slice(0, MAX_PARAMETERS);
  return names.map((name) => ({
    name,
    words: identifierWords(name),
    schema: reader.resolve(properties[name]),
    isRequired: required.has(name),
  }));
}

/** Arguments that even a read-only tool must not guess. */
const NAMING = setOf("id path file filename filepath url uri table repo repository branch");
const COUNTED = setOf("id number account amount price total");
const MOMENTS = setOf("date day time deadline when");
/** Schema keywords that limit the values; then any allowed value will do. */
const BOUND = ["format", "enum", "const", "pattern", "default"];

/** Required, and identifies what is acted on: a made-up value would affect something that nobody meant. */
function isActedOn({ words, schema, isRequired }: Argument, tells: boolean): boolean {
  const has = (set: ReadonlySet<string>) => hasAny(words, set);
  if (!isRequired || has(MOMENTS) || BOUND.some((key) => schema[key] !== undefined)) return false;
  if (tells) return has(NAMING) && typeOf(schema) === "string";
  return typeOf(schema) === "string" || typeOf(schema) === "array" || has(COUNTED);
}

/** Whether a value occurs in the prompt. Memoised: a list may hold the same value thousands of times. */
function createSaid(prompt: string): (value: unknown) => boolean {
  const plain = (text: string) => text.toLowerCase().replace(/(?<=\d),(?=\d)/g, "");
  const text = plain(prompt);
  const known = new Map<string | number, boolean>();
  const isSaid = (value: unknown): boolean => {
    if (isObject(value)) return Object.values(value).every((each) => isSaid(each) && each !== prompt);
    if (Array.isArray(value)) return value.every(isSaid);
    if (typeof value !== "number" && typeof value !== "string") return true;
    const said =
      known.get(value) ??
      (typeof value === "number"
        ? new RegExp(`${BEFORE_NUMBER}${value}(?!\\w)`).test(text)
        : text.includes(plain(value)));
    known.set(value, said);
    return said;
  };
  return isSaid;
}

const WEEKDAY = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/;

/** Removes capitalised words that are not names: the verb of a request, the tool's own words, and weekdays. */
function withoutDeed(clues: Clues, { verb, objects }: Phrase, words: readonly string[]): Clues {
  const own = new Set([verb, ...objects, ...words.map(verbStem)]);
  const isName = (name: string) =>
    !VERBS.has(verbStem(name)) && !own.has(verbStem(name)) && !WEEKDAY.test(name);
  const isOwn = (word: string) => own.has(verbStem(word));
  const names = clues.names.flatMap(({ before, name }) => {
    const [first = "", ...others] = name.split(" ");
    const bare = isOwn(first) && others.length > 0 ? others.join(" ") : name; // "Email Bob"
    return isName(bare) ? [{ before, name: bare }] : [];
  });
  return { ...clues, names };
}

/**
 * What the sentence says about an argument counts like a label. Several values for an argument that takes one become
 * several calls.
 */
function separateSaid(all: readonly Argument[], clues: Clues, deed: Phrase): Clues[] {
  const said = saidArguments(clues, deed, all);
  if (said.size === 0) return [clues];
  // Some tools take a command as an array of words, which is one value.
  const takesOne = (name: string) =>
    all.some((each) => each.name === name && (typeOf(each.schema) !== "array" || name === "command"));
  const several = [...said].find(([name, values]) => values.length > 1 && takesOne(name));
  return (several?.[1] ?? [""]).map((value) => {
    const labels = new Map(clues.labels);
    for (const [name, values] of said) {
      const own = name === several?.[0] ? [value] : takesOne(name) ? values.slice(0, 1) : values;
      labels.set(name.toLowerCase(), own);
    }
    const isFree = (text: string) => ![...said.values()].some((values) => values.includes(text));
    return { ...clues, labels, quoted: clues.quoted.filter(isFree) };
  });
}

/** No name fits it. Where schemas are strict, such a choice beside the name is required as well. */
function isChoice({ schema }: Argument): boolean {
  return schema["enum"] !== undefined || "const" in schema || typeOf(schema) === "boolean";
}

/** Only for a tool that needs a single name: "from Paris to Tokyo" must stay one call. */
function separateClues(all: readonly Argument[], clues: Clues): Clues[] {
  const [only, ...others] = all.filter((argument) => argument.isRequired && !isChoice(argument));
  if (only === undefined || others.length > 0 || !hasAny(only.words, SINGLE_NAMES)) return [clues];
  const isFree = typeOf(only.schema) === "string" && only.schema["enum"] === undefined;
  if (!isFree || clues.quoted.length > 0 || clues.labels.has(only.name.toLowerCase())) return [clues];
  const whole = { ...clues, names: withCodes(clues) };
  // A name before the first place only begins the sentence: "Weather in Paris and Rome".
  const firstPlace = whole.names.findIndex(({ before }) => PLACE_WORDS.includes(before));
  const names = whole.names.slice(Math.max(0, firstPlace));
  return names.length < 2 ? [whole] : names.map((name) => ({ ...clues, names: [name] }));
}

/** "San Francisco, CA" is one place. */
function withCodes({ names, text }: Clues): Clues["names"] {
  const whole: Clues["names"][number][] = [];
  for (const name of names) {
    const last = whole.at(-1);
    const both = `${last?.name}, ${name.name}`;
    const isCode = /^[A-Z]{2}$/.test(name.name) && /[a-z]$/.test(last?.name ?? "") && text.includes(both);
    if (last !== undefined && isCode) whole[whole.length - 1] = { ...last, name: both };
    else whole.push(name);
  }
  return whole;
}

/** Shell tools of some agents take a command as an array of words; a made-up second word would break it. */
function withCommandWords(value: JsonValue, clues: Clues): JsonValue {
  if (!isObject(value) || !Array.isArray(value["command"])) return value;
  const line = createClueReader(clues).text("command", { item: 0 });
  return line === undefined ? value : { ...value, command: line.split(" ").filter(Boolean) };
}
