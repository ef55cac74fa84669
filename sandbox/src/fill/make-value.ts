import { canonicalJson } from "../../../gateway/src/kit/index.ts";
import { createCheck, type JsonValue } from "./check-value.ts";
import type { Filling, Made, Place, ValueRequest } from "./filling.ts";
import { numbersOf } from "./make-number.ts";
import { objectsOf } from "./make-object.ts";
import { textsOf } from "./make-text.ts";
import { createPatternBook } from "./pattern/pattern-book.ts";
import { listIn, NEVER, numberOf, type Schema, typesOf } from "./schema-node.ts";
import type { SchemaReader } from "./schema-reader.ts";

const USUAL_ITEMS = 2;
const MAX_ITEMS = 1000;

/** Lists for a schema: with two items or as few as it takes; what `contains` requires comes last, or else first. */
function* listsOf(filling: Filling, node: Schema, place: Place): Generator<Made> {
  const most = numberOf(node, "maxItems", Number.POSITIVE_INFINITY);
  const leading = listIn(node, "prefixItems");
  const contained = "contains" in node ? numberOf(node, "minContains", 1) : 0;
  const least = Math.min(Math.max(numberOf(node, "minItems", 0), contained), most, MAX_ITEMS);
  const usual = filling.isSparing(place) || !("items" in node) ? leading.length : USUAL_ITEMS;
  const wanted = Math.min(Math.max(least, usual), most);
  yield listOf(filling, node, place, { count: wanted, least, first: wanted - contained });
  yield listOf(filling, node, place, { count: least, least, first: 0 });
}

type Shape = {
  readonly count: number;
  readonly least: number;
  /** The first item that must match `contains`. */
  readonly first: number;
};

function listOf(filling: Filling, node: Schema, place: Place, { count, least, first }: Shape): Made {
  const leading = listIn(node, "prefixItems");
  const { contains } = node;
  const contained = contains === undefined ? 0 : numberOf(node, "minContains", 1);
  const hasLimit = contains !== undefined && node["maxContains"] !== undefined;
  const isUnique = node["uniqueItems"] === true;
  const others = node["items"] ?? node["unevaluatedItems"] ?? true;
  const closed = hasLimit ? { not: contains } : true;
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < count; at++) {
    const isContained = contains !== undefined && at >= first && at < first + contained;
    const own = at < leading.length ? leading[at] : isContained && !("items" in node) ? true : others;
    const beside = isContained ? contains : closed;
    const schema = beside === true ? own : { allOf: [own, beside] };
    const made = filling.make(schema, {
      name: place.name,
      within: place.within,
      unlike: isUnique ? seen : undefined,
      from: isUnique ? at : place.from,
    });
    if (!made.fits) return { value: items, fits: at >= least }; // a surplus item can be left out
    items.push(made.value);
    if (isUnique) seen.add(canonicalJson(made.value));
  }
  return { value: items, fits: true };
}

/** A schema that requires itself ends here. */
const MAX_DEPTH = 64;
/** Beyond this depth, this many times within itself or this many values, only what is required is made. */
const MAX_UNHURRIED_DEPTH = 6;
const MAX_WITHIN_ITSELF = 2;
const MAX_UNHURRIED_VALUES = 500;
/** Tries for one place, and for one branch of it. */
const MAX_TRIES = 64;
const MAX_TRIES_OF_BRANCH = 24;
/** Per schema: the first failure may have been bad luck. */
const MAX_FAILURES = 2;
/** A value costs as much effort as reading this many names. */
const VALUE_EFFORT = 15;

/**
 * A value that the schema accepts: values are proposed from the keywords and then checked; if one is wrong, the next is
 * tried, within limits. If none is right, the first that was proposed.
 */
export function makeValue(request: ValueRequest): JsonValue {
  const { reader, random } = request;
  const { effort } = reader;
  const patterns = createPatternBook(effort);
  const check = createCheck(reader, patterns);
  const failures = new Map<Schema, { times: number; value: JsonValue }>();
  const heights = createHeights(reader);
  let values = 0;

  const filling: Filling = { ...request, patterns, make, isSparing };

  function isSparing({ within }: Place): boolean {
    if (within.length > MAX_UNHURRIED_DEPTH || values > MAX_UNHURRIED_VALUES) return true;
    return within.filter((node) => node === within.at(-1)).length > MAX_WITHIN_ITSELF;
  }

  function make(schema: unknown, place: Place): Made {
    const node = reader.resolve(schema);
    const failure = failures.get(node);
    if (node === NEVER || place.within.length > MAX_DEPTH) return { value: null, fits: false };
    if (failure !== undefined && failure.times >= MAX_FAILURES) return { value: failure.value, fits: false };
    const inside = { ...place, within: [...place.within, node] };
    let nearest: JsonValue | undefined;
    let tried = 0;
    for (const { value, fits } of valuesOf(node, inside)) {
      const isKnown = place.unlike?.has(canonicalJson(value)) === true;
      if (fits && !isKnown && check(schema, value)) return { value, fits };
      nearest ??= value;
      if (++tried >= MAX_TRIES + place.from || effort.left <= 0) break;
    }
    const value = nearest ?? null;
    // Nested in itself it would double at every level.
    const emptied = Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : value;
    if (place.unlike === undefined) failures.set(node, { times: (failure?.times ?? 0) + 1, value: emptied });
    return { value, fits: false };
  }

  function* valuesOf(node: Schema, place: Place): Generator<Made> {
    values++;
    effort.left -= VALUE_EFFORT;
    if (node === NEVER || effort.left <= 0) return;
    const [branches] = listIn(node, "choices");
    const options = listIn(node, "enum");
    if (options.length > 0) return yield* stated(options, place);
    if (Array.isArray(branches)) {
      for (const branch of inOrder(branches, place)) {
        yield* upTo(valuesOf(reader.choose(node, branch), place), place);
      }
      return;
    }
    if (node["default"] !== undefined && place.from === 0) yield sure(node["default"]);
    for (const type of typesOf(node)) yield* upTo(valuesOfType(node, type, place), place);
  }

  /** Values from the schema itself; a large one costs effort. */
  function* stated(options: readonly unknown[], { from }: Place): Generator<Made> {
    const start = from === 0 ? Math.floor(random() * options.length) : from;
    for (let at = 0; at < options.length; at++) {
      const option = options[(start + at) % options.length];
      if (typeof option === "object" && option !== null) effort.left -= JSON.stringify(option).length / 4;
      if (effort.left <= 0) return;
      yield sure(option);
    }
  }

  /** The first of them first, or the shallowest if only what is required is made; `null` last. */
  function inOrder(branches: readonly unknown[], place: Place): unknown[] {
    const some = branches.slice(0, MAX_TRIES);
    const isNull = (branch: unknown) => reader.resolve(branch)["type"] === "null";
    const weights = new Map(
      some.map((branch) => [branch, isSparing(place) ? heights(branch) : isNull(branch) ? 1 : 0]),
    );
    return some.toSorted((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0));
  }

  function* valuesOfType(node: Schema, type: string, place: Place): Generator<Made> {
    if (type === "object") return yield* objectsOf(filling, node, place);
    if (type === "array") return yield* listsOf(filling, node, place);
    if (type === "null") return yield sure(null);
    if (type === "boolean") {
      const any = place.from === 0 ? random() < 0.5 : place.from % 2 === 1;
      yield sure(any);
      return yield sure(!any);
    }
    if (type === "string") {
      for (const text of textsOf(filling, node, place)) yield sure(text);
      return;
    }
    for (const value of numbersOf(node, type === "integer", random, place.from)) yield sure(value);
  }

  return make(reader.root, { name: "", within: [], from: 0 }).value;
}

function sure(value: unknown): Made {
  return { value: value as JsonValue, fits: true };
}

function* upTo(values: Generator<Made>, { from }: Place): Generator<Made> {
  let count = 0;
  for (const value of values) {
    yield value;
    if (++count >= MAX_TRIES_OF_BRANCH + from) return;
  }
}

/** The least nesting of a schema's values; what is being measured counts as endless. */
function createHeights(reader: SchemaReader): (schema: unknown) => number {
  const known = new Map<Schema, number>();

  function heightOf(schema: unknown): number {
    const node = reader.resolve(schema);
    if (node === NEVER) return Number.POSITIVE_INFINITY;
    const before = known.get(node);
    if (before !== undefined || reader.effort.left <= 0) return before ?? 0;
    known.set(node, Number.POSITIVE_INFINITY);
    const height = measure(node);
    known.set(node, height);
    return height;
  }

  function measure(node: Schema): number {
    const [branches] = listIn(node, "choices");
    const [type] = typesOf(node);
    const { properties, items } = node as { properties?: Schema; items?: unknown };
    const needed =
      type === "object"
        ? listIn(node, "required").map((name) => properties?.[String(name)])
        : type === "array" && numberOf(node, "minItems", 0) > 0
          ? [items]
          : [];
    const own = needed.length === 0 ? 0 : 1 + Math.max(...needed.slice(0, MAX_TRIES).map(heightOf));
    const least = Array.isArray(branches) ? Math.min(...branches.slice(0, MAX_TRIES).map(heightOf)) : 0;
    return Math.max(own, least);
  }

  return heightOf;
}
