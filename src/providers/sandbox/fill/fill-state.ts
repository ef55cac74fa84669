import type { Random } from "../random.ts";
import type { ClueReader } from "./clue-match.ts";
import type { JsonValue } from "./json-value.ts";
import type { PatternBook } from "./pattern/pattern-text.ts";
import type { SchemaNode } from "./schema/schema-node.ts";
import type { SchemaReader } from "./schema/schema-reader.ts";

/** What the values of one reply took together, in shares of what a single one may take. */
export type Toil = { share: number };

export type ValueRequest = {
  /** Of the schema that the value shall keep. */
  readonly reader: SchemaReader;
  readonly clues: ClueReader;
  readonly random: Random;
  /** Whether a property that may be left out is made up, or filled only where the prompt speaks of it. */
  readonly optional: "made" | "from_prompt";
  /** What this one takes is added to it. */
  readonly toil?: Toil;
};

/** Deeper than this, within itself more often, or after so many values, only what is required is made. */
const MAX_DEPTH = 8;
const MAX_WITHIN_ITSELF = 2;
export const MAX_UNHURRIED_VALUES = 500;
/** Made for one answer, with those that were thrown away. */
export const MAX_VALUES = 5000;

/** A value, and whether it is known to be what its schema asks for. */
export type Made = { readonly value: JsonValue; readonly fits: boolean };

/** Where a value will stand. */
export type Place = {
  /** Of the property it is for, or that its list is for. */
  readonly name: string;
  readonly path: string;
  /** Which item of its list it is; 0 where it is none. */
  readonly item: number;
  readonly depth: number;
  /** Schemas that it is made within, the nearest first. */
  readonly within: Within | undefined;
  /** Values, in canonical form, that it must differ from; `from` is a hint how many there are. */
  readonly unlike?: ReadonlySet<string> | undefined;
  readonly from: number;
};

type Within = { readonly node: SchemaNode; readonly outer: Within | undefined };

/** Of the value that is being made: what is still left for it, and what was found out on the way. */
export type FillState = ValueRequest & {
  /** The first value found that the schema accepts; else one that comes near. */
  make(schema: unknown, place: Place): Made;
  valuesLeft: number;
  triesLeft: number;
  charactersLeft: number;
  readonly patterns: PatternBook;
  readonly check: (schema: unknown, value: JsonValue) => boolean;
  readonly heightOf: (node: SchemaNode) => number;
  /** How often a bound ended what was made: what failed then could be made elsewhere. */
  cuts: number;
  /** Schemas of which every try failed, and as near as we came: they are not tried for ever. */
  readonly failures: Map<SchemaNode, { times: number; value: JsonValue }>;
  /** Of objects and lists that stand in the schema as values. */
  readonly sizes: Map<object, number>;
  /** What the prompt said for a place: a second try there gets the same. */
  readonly saidAt: Map<string, unknown>;
  /** Values that a schema accepts, each another one, and whether there are no more. */
  readonly valuesOfSchema: Map<unknown, { values: Made[]; seen: Set<string>; isWhole: boolean }>;
  /** How much the prompt says of the branches of choices. */
  readonly saidOfBranches: Map<unknown, number>;
};

/** Whether only what is required shall be made here, by the shortest way. */
export function isSparing(state: FillState, place: Place, node?: SchemaNode): boolean {
  if (place.depth >= MAX_DEPTH || state.valuesLeft < MAX_VALUES - MAX_UNHURRIED_VALUES) return true;
  const own = node ?? place.within?.node;
  let times = node === undefined ? -1 : 0;
  for (let each = place.within; each !== undefined; each = each.outer) if (each.node === own) times++;
  return times >= MAX_WITHIN_ITSELF;
}
