import { canonicalJson } from "../../../gateway/src/kit/index.ts";
import { type FillState, isSparing, type Made, type Place } from "./fill-state.ts";
import type { JsonValue } from "./json-value.ts";
import { saidItems } from "./said-items.ts";
import { listIn, numberOf, partsOf, type SchemaNode } from "./schema/schema-node.ts";

/** No real schema means a longer list by its minimum. */
const MAX_MADE_ITEMS = 1000;
const USUAL_ITEMS = 2;
const MAX_PLACES = 8;

/** Lists for a schema without choices: of the usual length, then as short as possible. */
export function* arraysOf(state: FillState, node: SchemaNode, place: Place): Generator<Made> {
  const leading = listIn(node, "prefixItems").length;
  const most = numberOf(node, "maxItems") ?? Number.POSITIVE_INFINITY;
  const { clues, reader } = state;
  const said = place.name === "" ? 0 : saidItems(clues, place.name, reader.resolve(node["items"]), reader);
  const usual = isSparing(state, place) ? 0 : Math.max(leading, said > 0 ? said : USUAL_ITEMS);
  for (const contained of containedPlaces(state, node, most)) {
    const needed = Math.max(numberOf(node, "minItems") ?? 0, contained.end);
    const least = Math.min(needed, MAX_MADE_ITEMS);
    const wanted = Math.max(least, Math.min(usual, most, MAX_MADE_ITEMS));
    for (const count of [wanted, least]) yield arrayOf(state, node, place, { count, least, contained });
  }
}

/** Positions in the list, the schema of those items, and the schema of all others. */
type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly schema: unknown;
  readonly others: unknown;
};

/** Where the items required by `contains` may go: behind the items with their own schemas, or among them. */
function containedPlaces(state: FillState, node: SchemaNode, most: number): Stretch[] {
  const leading = listIn(node, "prefixItems").length;
  const saying = partsOf(node).filter(({ contains }) => contains !== undefined);
  const counts = saying.map((part) => Math.min(numberOf(part, "minContains") ?? 1, MAX_MADE_ITEMS));
  const count = Math.max(0, ...counts);
  const few = saying.filter(({ maxContains }) => maxContains !== undefined);
  const unlike = few.map(({ contains }) => ({ not: contains }));
  /** If `maxContains` limits them, the other items must not match. */
  const others = unlike.reduce<unknown>((one, other) => state.reader.both(one, other), true);
  // Without required items the same list is tried twice, the second time with values that do not match `contains`.
  if (count === 0) return [true, others].map((each) => ({ start: 0, end: 0, schema: true, others: each }));
  const starts = [leading, ...Array.from({ length: Math.min(leading, MAX_PLACES) }, (_, at) => at)];
  const wanted = saying.map(({ contains }) => contains);
  // One item may satisfy all of them.
  const all = wanted.reduce((one, other) => state.reader.both(one, other));
  return [...new Set([all, ...wanted])].flatMap((schema) =>
    starts.map((start) => ({ start, end: start + count, schema, others })).filter(({ end }) => end <= most),
  );
}

function arrayOf(
  state: FillState,
  node: SchemaNode,
  place: Place,
  { count, least, contained }: { count: number; least: number; contained: Stretch },
): Made {
  const isUnique = node["uniqueItems"] === true;
  const leading = listIn(node, "prefixItems");
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < count; at++) {
    const isContained = at >= contained.start && at < contained.end;
    const others = isContained ? node["items"] : (node["items"] ?? node["unevaluatedItems"]);
    const common = at < leading.length ? leading[at] : (others ?? true);
    const made = state.make(state.reader.both(common, isContained ? contained.schema : contained.others), {
      name: place.name,
      path: `${place.path}/${at}`,
      item: at,
      depth: place.depth + 1,
      within: place.within,
      unlike: isUnique ? seen : undefined,
      from: isUnique ? at : place.from,
    });
    // A surplus item can be left out.
    if (!made.fits && at >= least) break;
    items.push(made.value);
    if (isUnique) seen.add(canonicalJson(made.value));
    if (!made.fits) return { value: items, fits: false };
  }
  return { value: items, fits: true };
}
