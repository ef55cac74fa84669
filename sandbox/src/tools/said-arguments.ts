/** What the structure of a sentence says about each argument of a tool; `fill` reads the rest. */

import { PLACE_WORDS } from "../fill/clue-match.ts";
import type { Clues } from "../fill/clues.ts";
import { directionOf } from "../fill/directions.ts";
import { DAY_NAMES, PLACE_NAMES } from "../fill/field-kinds.ts";
import { hasAny, setOf, stem } from "../fill/identifier.ts";
import { FILE } from "../fill/prompt-shapes.ts";
import { type SchemaNode, typeOf } from "../fill/schema/schema-node.ts";
import type { Argument, Asking, Reader } from "./argument.ts";
import { createLook, joined, type Look, MAX_VALUES } from "./look.ts";
import { saidAddresses } from "./said-addresses.ts";
import { saidCount } from "./said-counts.ts";
import { saidCurrency } from "./said-currency.ts";
import { saidQuote } from "./said-quotes.ts";
import { saidRepository } from "./said-repository.ts";
import { meansVerb, type Phrase, TEXTS } from "./tool-words.ts";

/** Values in the order of the prompt. */
type SaidArguments = Map<string, readonly string[]>;

/** Most words of a name that are searched for: it may have fifty. */
const MAX_NAMES = 6;
const MAX_TITLE_WORDS = 6;

/** Words for an identifier as such; they do not say of what. */
const NAMING = setOf("id number name code key type value ref reference no");
const PATHS = setOf("path file filename filepath directory dir folder source destination old new");
const NO_VALUES = setOf("a all an any each every the my me us you your it this that new please");

const CODE =
  "#?(?:(?=[\\w-]{0,40}\\d)[A-Za-z\\d][\\w-]{0,40}|[\\w-]{1,40}/[\\w.-]{1,60}|[b-hj-zB-HJ-Z](?!\\w))";
/** A lower-case name that ends its phrase. */
const BARE = "(?!\\w+ing\\b)([a-z][\\w-]{1,60})(?=[.?!,]*\\s*$|[.?!,]\\s|\\s(?:in|of|on)\\s\\S*[/\\d])";
/** Several of them. */
const BARE_LIST = "([a-z][\\w-]{1,60}(?:(?:, |,? and )[a-z][\\w-]{1,60}){0,15})(?=[.?!,]*\\s*$|[.?!]\\s)";
const FILES = new RegExp(FILE, "gi");
const LATER = /\b(?:today|tomorrow|tonight|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
const SMALL_PLACE =
  /\b(?:in|at|near|for)\s(?!(?:the|an?|my|me|us|you|this|next|today|tomorrow|tonight|celsius|fahrenheit|kelvin|zip|it)\b)([a-z][a-z' -]{1,40}?)(?=\s(?:please|today|tomorrow|tonight|now|right|and|or|in|on|at|for|with|using|this|next)\b|[,.?!]|$)/;
const OWNER =
  "(?:of (?:(?:an?|the|my|some) )?|for (?:an?|the|my) )([a-z][\\w' -]{1,40}?)(?=\\s(?:and|at|for|from|in|now|on|please|today|with)\\b|[,.?!\\n]|$)";
/** Before a number that no other word claims: "it is 17", but not "the email of user 17". */
export const BEFORE_NUMBER =
  "(?<![\\w.,#-]|\\b(?!(?:and|as|at|by|card|code|for|from|id|in|is|no|number|of|on|or|to|use|with)\\b)[a-z]{2,20} )#?";
const ONLY_NUMBER = new RegExp(`${BEFORE_NUMBER}\\d{2,20}(?![\\w,-]|[.:]\\d)`, "g");
const OBJECT =
  "(?:on )?(?:(?:the|an?|my|some) )?(?![^\\n]*\\b(?:about|at|by|for|from|in|into|it|me|of|on|to|up|with)\\b)([^.?!,:\\n]{2,60}?)(?: please)?[.?!]?";
const END = "(?:(?:my|the|account|card|user|branch) ){0,2}([\\w-]+)";
const FROM_TO = new RegExp(`\\bfrom ${END} to ${END}`, "i");
const LISTED_FILES =
  /\blist (?:(?:all|the|my) )*files(?: (?:in|of|under) (?:the )?(?!this\b|current\b)([\w./-]+?)(?: (?:directory|folder))?(?=[.?!]?$))?/i;
/** "Run `ls` and `pwd`". */
const QUOTED_COMMANDS =
  /\b(?:run|execute)\s((?:(?:, |,? and |,? then |,? and then )?`[^`\n]{1,300}`){1,16})/i;
const FOLDER =
  /\b(?:in|of|from|under|directory|folder)\s(?:the\s)?(?!(?:this|current|here)\b)([a-z][\w.-]{0,60}\w)(?:\s(?:folder|directory))?(?=[.?!]?$|\s(?:and|then|instead)\b)/;
export const SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|DROP TABLE)\s[^\n]{1,500}/;
const TOLD_TEXT =
  /\b(?:saying|containing|that says|with the (?:text|content|message))\s(?:that\s)?([^\n"]{1,500}?)[.?!]?$/im;
const WRITTEN_TEXT =
  /\b(?:write|put|save|append)\s(?!(?:an?|the|its|this)\s)([^\n"':]{1,300}?)\s(?:in)?to\s\S/i;
const TEXT_BEHIND = /^(?:[^:?.!\n]|\.(?!\s)){3,120}:\s([^\n]{1,500})$/;
/** Ends where a time is given. */
const TODO = "[^\\n.?!]{2,200}?(?=\\s(?:at \\d|on \\w+day|in \\d|today|tomorrow|tonight)|[.?!]|\\n|$)";
const SUBJECT = /\bsubject\b/i;
const MATTER = /\babout\s([^\n.?!,:;"]{2,80}?)(?=\s(?:saying|with)\b|[\n.?!,:;]|$)/i;
const SOUGHT = /\b(?:grep|search|look|find)\b[^.?!\n]{0,40}?\sfor\s([^?!\n]{1,80}?)(?=\sin\s|[.?!]?$)/i;
const WORD_IN = /\bin (?:the word )?([a-z]{2,40})[?!.]?$/;
const LISTED = /\b(?:add|put|buy|order)\s([^.?!\n]{1,300}?)\s(?:to|on|in)\s/i;

/** Readers in order of precedence: by the argument's own word, by prepositions, or by the shape of the value. */
const NUMBER_READERS: readonly Reader[] = [ownValue, saidCount];
const TEXT_READERS: readonly Reader[] = [
  saidCurrency,
  saidRepository,
  saidQuote,
  ownValue,
  files,
  saidAddresses,
  ways,
  days,
  places,
  texts,
  items,
  adjective,
  object,
];

export function saidArguments(clues: Clues, deed: Phrase, parameters: readonly Argument[]): SaidArguments {
  const said: SaidArguments = new Map();
  const asking = { ...clues, deed, parameters, look: createLook(clues.text) };
  for (const parameter of parameters) {
    const { name, schema } = parameter;
    if (clues.labels.has(name.toLowerCase())) continue;
    for (const read of readersOf(schema)) {
      const values = read(parameter, asking);
      if (values === undefined || values.length === 0) continue;
      said.set(name, values.slice(0, MAX_VALUES));
      break;
    }
  }
  return said;
}

function readersOf(schema: SchemaNode): readonly Reader[] {
  if (schema["enum"] !== undefined) return [saidCurrency];
  return isNumber(schema) ? NUMBER_READERS : isText(schema) ? TEXT_READERS : [];
}

function isText(schema: SchemaNode): boolean {
  const type = typeOf(schema);
  return (
    type === "string" || (type === "array" && typeOf((schema["items"] ?? {}) as SchemaNode) === "string")
  );
}

function isNumber(schema: SchemaNode): boolean {
  const type = typeOf(schema);
  return type === "integer" || type === "number";
}

/** "order 12345", "users 1, 2 and 3", "the table users"; "45 minutes" for an optional argument. */
function ownValue({ words, schema, isRequired }: Argument, { deed, look }: Asking) {
  const own = words.filter((word) => !NAMING.has(word));
  const names = own.length > 0 ? [own.at(-1) ?? "", ...own.slice(0, -1)] : [];
  if (hasAny(words, NAMING)) names.push(...deed.objects);
  const shape = isNumber(schema) ? "\\d+(?:\\.\\d+)?" : CODE;
  for (const name of [...new Set(names.map(stem))].slice(0, MAX_NAMES)) {
    if (!/^[a-z]{3,}$/.test(name) || directionOf(words) !== "none" || !look.says(name)) continue;
    const list = `${shape}(?:(?:, | and |, and )(?:${name} )?${shape})*`;
    const behind = look.first(
      `\\b${name}s? (?:(?:id|number|no\\.?|code) )?(${list})(?![\\w@/]|[.:]\\d)`,
    )?.[1];
    if (behind !== undefined)
      return behind.split(/, and |, | and /).map((value) => value.replace(/^.* |^#/, ""));
    const before = look.first(`(?<![\\w.,-])(\\d{1,9}) (?:\\w+ )?${name}s?\\b`)?.[1];
    if (before !== undefined && isNumber(schema) && !isRequired) return [before];
    const listed = typeOf(schema) === "array" ? look.first(`\\b${name}s? ${BARE_LIST}`, "") : null;
    if (listed?.[1] !== undefined && words.some((word) => stem(word) === name))
      return listed[1].split(/,? and |, /);
    const bare = words.includes(name) && isText(schema) ? look.first(`\\b${name} ${BARE}`, "") : null;
    if (bare !== null) return bare.slice(1, 2);
  }
  const only = own.length === 0 && isText(schema) ? look.all(ONLY_NUMBER) : [];
  return only.length === 1 ? only.map(({ value }) => value.replace(/^#/, "")) : undefined;
}

function files({ name: own, words, isRequired }: Argument, { text, deed, parameters, look }: Asking) {
  if (words.includes("command") || words.includes("cmd")) {
    const quoted = look.first(QUOTED_COMMANDS)?.[1]?.match(/[^`]+(?=`(?:[, ]|$))/g);
    if (quoted != null) return quoted;
    const listed = look.first(LISTED_FILES);
    return listed === null ? undefined : [`ls ${listed[1] ?? ""}`.trim()];
  }
  const isPath = ({ words }: Argument) =>
    hasAny(words, PATHS) || (deed.objects.includes("file") && directionOf(words) !== "none");
  const paths = parameters.filter(isPath);
  const at = paths.findIndex(({ name }) => name === own);
  if (at < 0) return undefined;
  const found = look.all(FILES);
  if (found.length === 0) {
    const said = paths.length === 1 ? look.first(FOLDER)?.[1] : undefined;
    const folder = isOption(said, parameters) ? undefined : said;
    return folder !== undefined ? [folder] : deed.verb === "list" && isRequired ? ["."] : undefined;
  }
  if (paths.length === 1) return joined(found, text).map(({ value }) => value);
  return found.slice(at, at + 1).map(({ value }) => value);
}

/** A value that is an option of some argument is meant for that one: "in business". */
function isOption(value = "", parameters: readonly Argument[]): boolean {
  const lowered = value.toLowerCase();
  const written = [lowered, lowered.toUpperCase(), lowered.charAt(0).toUpperCase() + lowered.slice(1)];
  return parameters.some(
    ({ schema: { enum: options } }) =>
      Array.isArray(options) && written.some((each) => options.includes(each)),
  );
}

/** "from checking to savings". */
function ways({ words }: Argument, { look }: Asking) {
  const direction = directionOf(words);
  const [, from, to] = (direction === "none" ? null : look.first(FROM_TO)) ?? [];
  const value = direction === "from" ? from : to;
  return value === undefined || /^[A-Z][a-z]/.test(value) ? undefined : [value];
}

/** Optional days, in the order of the arguments; and relative days such as "tomorrow", as text. */
function days(parameter: Argument, { parameters, look }: Asking) {
  const isDay = ({ schema, words }: Argument) =>
    schema["format"] === "date" || (typeOf(schema) === "string" && hasAny(words, DAY_NAMES));
  if (!isDay(parameter)) return undefined;
  const { name, schema, isRequired } = parameter;
  const said = look.days();
  if (said.length === 0) return schema["format"] === undefined ? look.first(LATER)?.slice(0, 1) : undefined;
  const all = parameters.filter(isDay);
  const value = isRequired ? undefined : said[all.findIndex((each) => each.name === name)];
  return value === undefined ? undefined : [value];
}

function places({ words, isRequired }: Argument, { names, quoted, parameters, look }: Asking) {
  if (!hasAny(words, PLACE_NAMES) || quoted.length > 0) return undefined;
  if (names.length === 0) {
    const small = look.first(SMALL_PLACE)?.[1];
    return small === undefined || isOption(small, parameters) ? undefined : [small];
  }
  const said = names.find(({ before }) => PLACE_WORDS.includes(before))?.name;
  return isRequired || said === undefined ? undefined : [said];
}

/** Text to be sent, written or run. */
function texts({ words, isRequired }: Argument, { text, quoted, parameters, deed, look }: Asking) {
  if (words.includes("word")) return look.first(WORD_IN)?.slice(1, 2);
  if (words.includes("pattern")) return quoted.length > 0 ? undefined : look.first(SOUGHT)?.slice(1, 2);
  const isUntitled =
    parameters.some((each) => each.words.includes("subject")) && look.first(SUBJECT) === null;
  if (quoted.length > (isUntitled ? 1 : 0)) return undefined;
  const todo = todoIn(look, deed);
  if (todo !== undefined && ["title", "task", "objective"].some((each) => words.includes(each)))
    return [todo];
  const first = TEXTS.find((each) => parameters.some(({ words: own }) => own.includes(each)));
  const isSubject = isUntitled && words.includes("subject");
  if (first === undefined || !(isSubject || words.includes(first)) || first === "code") return undefined;
  if (first === "query" || first === "sql") return look.first(SQL)?.slice(0, 1);
  const said = (
    quoted[0] ??
    todo ??
    look.first(TOLD_TEXT)?.[1] ??
    look.first(WRITTEN_TEXT)?.[1] ??
    look.first(TEXT_BEHIND)?.[1]
  )?.trim();
  const matter = isSubject ? (look.first(MATTER)?.[1] ?? said ?? (isRequired ? text : undefined)) : said;
  return matter === undefined ? undefined : [isSubject ? titleOf(matter) : matter];
}

/**
 * "Remind me to buy milk", "set a reminder to buy milk", "add a task to call Bob". Not for sending, where "to" names a
 * recipient.
 */
function todoIn(look: Look, { verb, objects }: Phrase): string | undefined {
  const thing = objects.at(-1) ?? "";
  if (!/^[a-z]{3,}$/.test(thing) || !(meansVerb(verb, "set") || meansVerb(verb, "make"))) return undefined;
  const said = `\\b(?:${thing}|${thing.replace(/er$/, "")} (?:me|us)) to (${TODO})`;
  return look.first(said)?.[1];
}

function titleOf(text: string): string {
  const title = text.split(/\s+/).slice(0, MAX_TITLE_WORDS).join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** "Add eggs, milk and bread to my list". */
function items({ schema, isRequired }: Argument, { quoted, look }: Asking) {
  if (typeOf(schema) !== "array" || !isRequired || quoted.length > 0) return undefined;
  return look.first(LISTED)?.[1]?.split(/,? and |, /);
}

/** "the bedroom light", "the price of a laptop": the word next to the object, if nothing else is given. */
function adjective(parameter: Argument, { deed, names, quoted, parameters, look }: Asking) {
  const { words, isRequired } = parameter;
  const [own = ""] = words;
  const within =
    quoted.length === 0 && /^[a-z]{3,}$/.test(own) && typeOf(parameter.schema) === "string"
      ? look.first(
          `\\bin the (\\w{2,20} ${own}\\b${own === "room" ? "|[a-z]{3,20}(?=[.?!,]|$| to )" : ""})`,
        )?.[1]
      : undefined;
  if (within !== undefined) return [within];
  const thing = deed.objects.at(-1) ?? "";
  const isFree = typeOf(parameter.schema) === "string" && isRequired && names.length + quoted.length === 0;
  if (!isFree || !/^[a-z]{3,}$/.test(thing) || words.some((word) => TEXTS.includes(word) || NAMING.has(word)))
    return undefined;
  const shape = `\\b${deed.verb}\\w{0,3}\\s(?:(?:on|off|up|the|an?|my|some|to)\\s){0,3}([a-z][\\w-]*)\\s${thing}s?\\b`;
  const isFirst = parameters.find((each) => each.isRequired && isText(each.schema))?.name === parameter.name;
  const owner = isFirst ? look.first(`\\b${thing}s? ${OWNER}`)?.[1] : undefined;
  const value = owner ?? look.first(shape)?.[1]?.toLowerCase();
  return value === undefined || NO_VALUES.has(value) ? undefined : [value];
}

/** "Click the login button", "play Bohemian Rhapsody": everything after the verb, for the only required argument. */
function object(parameter: Argument, { deed, quoted, parameters, look }: Asking) {
  const isOnly = parameter.isRequired && parameters.filter((each) => each.isRequired).length === 1;
  const isSaid = deed.objects.some(look.says);
  if (!isOnly || isSaid || quoted.length > 0 || typeOf(parameter.schema) !== "string") return undefined;
  if (parameter.words.some((word) => TEXTS.includes(word) || NAMING.has(word))) return undefined;
  return look.first(`^\\W*(?:please )?${deed.verb} ${OBJECT}$`)?.slice(1, 2);
}
