import { canonicalJson } from "../../../gateway/src/kit/index.ts";
import type { FillState, Made, Place } from "./fill-state.ts";

/** A property, its schema and the value it was first given. */
type Member = { readonly name: string; readonly schema: unknown; readonly first: Made };

/** Tries beyond the number of existing values. */
const MAX_MORE = 12;

/**
 * Combinations of property values, for objects that must differ when random ones do not. Each place starts with a
 * different combination, so that one of them is surely new.
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

/** Computed once per schema, however many objects need them. */
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
