import { isObject } from "../../../kit/index.ts";
import type { Tool } from "../../contract.ts";
import { createClueReader, PLACE_WORDS } from "../fill/clue-match.ts";
import type { Clues } from "../fill/clues.ts";
import { identifierWords } from "../fill/identifier.ts";
import type { OptionBook } from "../fill/option-book.ts";
import { requiredOf, typeOf } from "../fill/schema-node.ts";
import { createSchemaReader, type SchemaReader } from "../fill/schema-reader.ts";
import { type JsonValue, makeValue, type Toil } from "../fill/schema-value.ts";
import { requiredUnits } from "../fill/units.ts";
import type { Random } from "../random.ts";

const MAX_CALLS_OF_ONE_TOOL = 8;
const SINGLE_NAMES = new Set("city location place country town region address name person symbol".split(" "));

/** What all calls of one reply share. */
export type CallMaking = { readonly random: Random; readonly options: OptionBook; readonly toil: Toil };

/**
 * The arguments of one call, or of several where the prompt names several things: "in Paris and in Tokyo". The calls
 * of a reply are made in one turn of the loop: after one that took as long as any may, no other is made.
 */
export function toolArguments(tool: Tool, clues: Clues, { random, options, toil }: CallMaking): string[] {
  // A tool without parameters takes an empty object, never a bare value.
  const schema = { type: "object", ...(isObject(tool.parameters) ? tool.parameters : {}) };
  const reader = createSchemaReader(schema);
  const several = separateClues(reader, clues);
  const units = requiredUnits(reader);
  return several.slice(0, MAX_CALLS_OF_ONE_TOOL).flatMap((each) => {
    if (toil.share >= 1) return [];
    const value = makeValue({
      reader,
      clues: createClueReader(each, options, units),
      random,
      optional: "from_prompt",
      toil,
    });
    return [JSON.stringify(withCommandWords(value, each))];
  });
}

/** Only a tool that wants one name and nothing else: "from Paris to Tokyo" must stay a single call. */
function separateClues(reader: SchemaReader, clues: Clues): Clues[] {
  const node = reader.resolve(reader.root);
  const [only, ...others] = requiredOf(node);
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const schema = only === undefined ? {} : reader.resolve(properties[only]);
  const wantsName = only !== undefined && identifierWords(only).some((word) => SINGLE_NAMES.has(word));
  const isSingle =
    wantsName && others.length === 0 && typeOf(schema) === "string" && schema["enum"] === undefined;
  if (!isSingle || clues.quoted.length > 0) return [clues];
  const whole = { ...clues, names: withCodes(clues) };
  // What stands before the first place only begins the sentence: "Weather in Paris and Rome".
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

/** Shell tools of some agents take a command as its words; a made-up second word would break it. */
function withCommandWords(value: JsonValue, clues: Clues): JsonValue {
  if (!isObject(value) || !Array.isArray(value["command"])) return value;
  const line = createClueReader(clues).text("command", { item: 0 });
  return line === undefined ? value : { ...value, command: line.split(" ").filter(Boolean) };
}
