import type { Random } from "../random.ts";
import type { ClueReader } from "./clue-match.ts";
import type { JsonValue } from "./json-value.ts";
import type { PatternBook } from "./pattern/pattern-text.ts";
import type { SchemaNode } from "./schema/schema-node.ts";
import type { SchemaReader } from "./schema/schema-reader.ts";

/** How much work the values of one reply took together, as multiples of the limit for a single one. */
export type Toil = { share: number };

export type ValueRequest = {
  /** Reads the schema that the value must match. */
  readonly reader: SchemaReader;
  readonly clues: ClueReader;
  readonly random: Random;
  /** Whether optional properties are made up, or filled only if the prompt mentions them. */
  readonly optional: "made" | "from_prompt";
  /** The work for this value is added to it. */
  readonly toil?: Toil;
};

/** Beyond this depth, this many recursions or this many values, only required parts are made. */
const MAX_DEPTH = 8;
const MAX_WITHIN_ITSELF = 2;
export const MAX_UNHURRIED_VALUES = 500;
/** Limit per answer, including discarded values. */
export const MAX_VALUES = 5000;

/** A value, and whether it is known to match its schema. */
export type Made = { readonly value: JsonValue; readonly fits: boolean };

/** Where a value will go. */
export type Place = {
  /** The property it is for, or that its list is for. */
  readonly name: string;
  readonly path: string;
  /** Index in its list; 0 if it is in none. */
  readonly item: number;
  readonly depth: number;
  /** The enclosing schemas, innermost first. */
  readonly within: Within | undefined;
  /** Values, in canonical form, that it must differ from; `from` hints how many there are. */
  readonly unlike?: ReadonlySet<string> | undefined;
  readonly from: number;
};

type Within = { readonly node: SchemaNode; readonly outer: Within | undefined };

/** State of making one value: the remaining limits, and what was found out on the way. */
export type FillState = ValueRequest & {
  /** The first value found that the schema accepts; else one that comes close. */
  make(schema: unknown, place: Place): Made;
  valuesLeft: number;
  triesLeft: number;
  charactersLeft: number;
  readonly patterns: PatternBook;
  readonly check: (schema: unknown, value: JsonValue) => boolean;
  readonly heightOf: (node: SchemaNode) => number;
  /** How often a limit stopped the work: what failed then could succeed elsewhere. */
  cuts: number;
  /** Schemas for which every try failed, with the closest value, so that they are not tried for ever. */
  readonly failures: Map<SchemaNode, { times: number; value: JsonValue }>;
  /** JSON sizes of objects and lists that the schema contains as values. */
  readonly sizes: Map<object, number>;
  /** What the prompt gave for a path: a second try there gets the same. */
  readonly saidAt: Map<string, unknown>;
  /** Distinct values that a schema accepts, and whether there are no more. */
  readonly valuesOfSchema: Map<unknown, { values: Made[]; seen: Set<string>; isWhole: boolean }>;
  /** How much the prompt says about each branch of a choice. */
  readonly saidOfBranches: Map<unknown, number>;
};

/** Whether to make only what is required here, as short as possible. */
export function isSparing(state: FillState, place: Place, node?: SchemaNode): boolean {
  if (place.depth >= MAX_DEPTH || state.valuesLeft < MAX_VALUES - MAX_UNHURRIED_VALUES) return true;
  const own = node ?? place.within?.node;
  let times = node === undefined ? -1 : 0;
  for (let each = place.within; each !== undefined; each = each.outer) if (each.node === own) times++;
  return times >= MAX_WITHIN_ITSELF;
}
