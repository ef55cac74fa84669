import type { Random } from "../random.ts";
import type { JsonValue } from "./check-value.ts";
import type { PatternBook } from "./pattern/pattern-book.ts";
import type { Schema } from "./schema-node.ts";
import type { SchemaReader } from "./schema-reader.ts";

export type ValueRequest = {
  readonly reader: SchemaReader;
  readonly random: Random;
  /** Whether optional properties are made. */
  readonly isFull: boolean;
  /** What a text property that asks for an answer or a question gets. */
  readonly said: string;
};

/** A value, and whether it is known to match its schema. */
export type Made = { readonly value: JsonValue; readonly fits: boolean };

/** Where a value will go. */
export type Place = {
  /** The property it is for, or that its list is for. */
  readonly name: string;
  /** The enclosing schemas, innermost last. */
  readonly within: readonly Schema[];
  /** Values, in canonical form, that it must differ from. */
  readonly unlike?: ReadonlySet<string> | undefined;
  /** Skips that many values, for places that must differ. */
  readonly from: number;
};

/** One answer in the making. */
export type Filling = ValueRequest & {
  readonly patterns: PatternBook;
  make(schema: unknown, place: Place): Made;
  /** Whether to make only what is required here, as short as possible. */
  isSparing(place: Place): boolean;
};
