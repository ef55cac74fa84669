import { identifierWords, stem } from "./identifier.ts";
import { namedIn, requiredOf, typeOf } from "./schema/schema-node.ts";
import type { SchemaReader } from "./schema/schema-reader.ts";

const MAX_NAMES = 64;
const MIN_CHARACTERS = 3;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["hr", "hour"],
  ["hrs", "hour"],
  ["min", "minute"],
  ["mins", "minute"],
  ["sec", "second"],
  ["secs", "second"],
]);
const SMALL_WORDS = new Set("and are but for from into not per the then was were with".split(" "));
/** A word before another number belongs to that one ("room 12 floor 3"), unless it is a plural: "3 nights 2 guests". */
const UNIT = /^[ -](\p{L}{2,20})(?![\p{L}\d_-])(?! old\b)(?:(?<=s)|(?!\s{0,2}[:=#]?\s{0,2}\d))/u;

/** What a number counts, by the word after it: "minute" in "45 minutes"; empty if there is none. */
export function unitAfter(text: string, end: number): string {
  const word = UNIT.exec(text.slice(end, end + 32))?.[1]?.toLowerCase() ?? "";
  return SHORT.get(word) ?? (word.length < MIN_CHARACTERS || SMALL_WORDS.has(word) ? "" : stem(word));
}

/** Units that an argument's name may contain: `duration_minutes` is in minutes. */
export function unitsOf(name: string): string[] {
  return identifierWords(name).map(stem);
}

/** Units of all required numbers: what is counted in them goes to no other argument. */
export function requiredUnits(reader: SchemaReader): ReadonlySet<string> {
  const node = reader.resolve(reader.root);
  const properties = namedIn(node, "properties");
  const numbers = requiredOf(node)
    .slice(0, MAX_NAMES)
    .filter((name) => {
      const type = Object.hasOwn(properties, name) ? typeOf(reader.resolve(properties[name])) : "null";
      return type === "number" || type === "integer";
    });
  return new Set(numbers.flatMap(unitsOf));
}
