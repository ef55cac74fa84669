import { canonicalJson } from "../../../kit/index.ts";
import type { FillState, Made, Place } from "./fill-state.ts";

/** A property: what its schema is, and what it has been given first. */
type Member = { readonly name: string; readonly schema: unknown; readonly first: Made };

/** As many more as there are already are tried, and these. */
const MAX_MORE = 12;

/**
 * Where objects must differ and made by lot they do not: all that can be mixed of what their properties may be, from
 * another one on at each place, since one of so many is surely new.
 */
export function* mixesOf(
  state: FillState,
  members: readonly Member[],
  place: Place,
): Generator<ReadonlyMap<string, Made>> {
  const wanted = place.from + MAX_MORE;
  const wheels: { readonly name: string; readonly values: readonly Made[] }[] = [];
  let count = 1;
  for (const { name, schema, first } of members) {
    const values = count < wanted ? valuesFor(state, schema, { ...place, name }, wanted) : [first];
    wheels.push({ name, values: values.length === 0 ? [first] : values });
    count *= Math.max(1, values.length);
  }
  for (let tried = 0; tried < Math.min(wanted, count); tried++) {
    let rest = (place.from + tried) % count;
    const mix = new Map<string, Made>();
    for (const { name, values } of wheels) {
      const made = values[rest % values.length];
      if (made !== undefined) mix.set(name, made);
      rest = Math.floor(rest / values.length);
    }
    yield mix;
  }
}

/** Found once, however many objects ask for them. */
function valuesFor(state: FillState, schema: unknown, place: Place, wanted: number): readonly Made[] {
  const known = state.valuesOfSchema.get(schema) ?? { values: [], seen: new Set<string>(), isWhole: false };
  state.valuesOfSchema.set(schema, known);
  while (!known.isWhole && known.values.length < wanted) {
    const made = state.make(schema, {
      ...place,
      depth: place.depth + 1,
      unlike: known.seen,
      from: known.values.length,
    });
    if (made.fits) known.values.push(made);
    else known.isWhole = true;
    known.seen.add(canonicalJson(made.value));
  }
  return known.values;
}
