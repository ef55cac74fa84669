import { canonicalJson } from "../../../gateway/src/kit/index.ts";
import type { JsonValue } from "./check-value.ts";
import type { Filling, Made, Place } from "./filling.ts";
import { listIn, numberOf, type Schema } from "./schema-node.ts";

const USUAL_ITEMS = 2;
const MAX_ITEMS = 1000;

/** Lists for a schema: with two items or as few as it takes; what `contains` requires comes last, or else first. */
export function* listsOf(filling: Filling, node: Schema, place: Place): Generator<Made> {
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
