import { countOf, NUMBER_WORD } from "../../talk/number-word.ts";
import type { Clues } from "../clues.ts";
import { DAY_NAMES } from "../field-kinds.ts";
import { hasAny, identifierWords } from "../identifier.ts";
import { namedIn, type SchemaNode, typeOf } from "./schema-node.ts";
import type { SchemaReader } from "./schema-reader.ts";

const MAX_PROPERTIES = 64;
const MAX_COUNT = 50;
const BETWEEN = /^(?:\s{0,2},\s{1,2}(?:(?:and|or)\s)?|\s(?:and|or|&)\s)$/;
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;
const DAYS = new Set([...DAY_NAMES, "when"]);
const TITLES = new Set(["name", "title", "event"]);
/** What several people do together: "are going to a science fair on Friday". */
const THING =
  /\s(?:an?|the)\s(\p{L}[\p{L}\d' -]{1,60}?)(?=\s(?:at|by|for|from|in|next|on|this|to|today|tomorrow|tonight|with)\s|[.,;:?!\n]|$)/u;

/**
 * Assigns a prompt's clues to a whole schema: names in a row become the items of its list of texts, the thing that
 * several people do becomes its title, and a weekday is never a name. `listed` are the items of the plain answer.
 */
export function cluesForSchema(clues: Clues, reader: SchemaReader, listed: readonly string[]): Clues {
  const root = reader.resolve(reader.root);
  const all = Object.entries(namedIn(root, "properties")).slice(0, MAX_PROPERTIES);
  const properties = all.map(([name, schema]) => ({ name, node: reader.resolve(schema) }));
  const labels = new Map(clues.labels);
  const say = (found: { readonly name: string } | undefined, values: readonly string[]) => {
    if (found !== undefined && values.length > 0) labels.set(found.name.toLowerCase(), values);
    return found !== undefined;
  };
  const open = properties.filter(({ name }) => !clues.labels.has(name.toLowerCase()));
  const texts = open.filter(({ node }) => isPlainText(node));
  const withWord = (words: ReadonlySet<string>) =>
    texts.find(({ name }) => hasAny(identifierWords(name), words));
  const weekday = clues.names.find(({ name }) => WEEKDAY.test(name));
  if (weekday !== undefined) say(withWord(DAYS), [weekday.name]);
  const own = new Set(properties.map(({ name }) => name.toLowerCase()));
  const lists = properties.filter(({ node }) => typeOf(node) === "array");
  const items = new Set(lists.flatMap(({ name }) => clues.labels.get(name.toLowerCase()) ?? []));
  const named = clues.names.filter(
    ({ name }) => !WEEKDAY.test(name) && !own.has(name.toLowerCase()) && !items.has(name),
  );
  const row = listed.length > 0 ? listed : namesInRow(clues);
  const list = open.find(
    ({ node }) => typeOf(node) === "array" && isPlainText(reader.resolve(node["items"])),
  );
  const isListed = row.length > 0 && say(list, row);
  const names = isListed ? named.filter(({ name }) => !row.includes(name)) : named;
  if (isListed && listed.length === 0 && names.length === 0) {
    const thing = THING.exec(clues.text.slice(clues.text.indexOf(row.at(-1) ?? "")))?.[1];
    if (thing !== undefined) say(withWord(TITLES), [thing]);
  }
  const others = listed.map((name) => ({ before: "", name }));
  return {
    ...clues,
    labels,
    names: isListed ? names : [...others, ...names],
    ...uncounted(clues, properties),
  };
}

function isPlainText(node: SchemaNode): boolean {
  return typeOf(node) === "string" && !("enum" in node || "const" in node || "format" in node);
}

/** The first names in a row: "Tom, Jerry and Spike". */
export function namesInRow({ names, text }: Clues): string[] {
  let from = 0;
  let row: string[] = [];
  for (const { name } of names) {
    if (WEEKDAY.test(name)) continue;
    const at = text.indexOf(name, from);
    const goesOn = row.length > 0 && at >= 0 && BETWEEN.test(text.slice(from, at));
    if (!goesOn && row.length > 1) break;
    row = goesOn ? [...row, name] : [name];
    from = Math.max(from, at + name.length);
  }
  return row.length > 1 ? row : [];
}

/** How many of them the prompt asks for: "4 users". */
export function wantedCount(name: string, text: string): number | undefined {
  const noun = identifierWords(name).at(-1) ?? "";
  if (noun.length < 3) return undefined;
  const said = new RegExp(
    `(?<![\\w.,-])(\\d{1,3}|${NUMBER_WORD})\\s(?:\\p{L}{1,20}\\s)?${noun}(?!\\w)`,
    "iu",
  ).exec(text);
  return countOf(said?.[1] ?? "", MAX_COUNT);
}

/** Removes numbers that are counts of items, not values. */
function uncounted(
  { text, numbers, units }: Clues,
  properties: readonly { readonly name: string; readonly node: SchemaNode }[],
): Pick<Clues, "numbers" | "units"> {
  const lists = properties.filter(({ node }) => typeOf(node) === "array");
  const counts = new Set(lists.map(({ name }) => wantedCount(name, text)));
  const kept = numbers
    .map((number, at) => ({ number, unit: units[at] ?? "" }))
    .filter(({ number }) => !counts.has(number));
  return { numbers: kept.map(({ number }) => number), units: kept.map(({ unit }) => unit) };
}
