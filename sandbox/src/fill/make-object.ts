import { canonicalJson, isObject } from "../../../gateway/src/kit/index.ts";
import { type FillState, isSparing, type Made, type Place } from "./fill-state.ts";
import type { JsonValue } from "./json-value.ts";
import { namesFor } from "./made-names.ts";
import { mixesOf } from "./object-mixes.ts";
import { namedIn, numberOf, requiredOf, type SchemaNode } from "./schema/schema-node.ts";

/** Properties that are omitted or added one at a time. */
const MAX_SINGLE = 8;
/** Complete retries, with new values for all properties. */
const MAX_AGAIN = 3;
const MAX_AGAIN_UNLIKE = 24;
const MAX_MADE_PROPERTIES = 1000;
/** How often the names of an object are iterated until it is made. */
const PASSES = 4;

/**
 * Objects for a schema without choices: with the wanted properties, with the required ones, with one fewer and one
 * more, and then with other values.
 */
export function* objectsOf(state: FillState, node: SchemaNode, place: Place): Generator<Made> {
  // Once the budget is used up, not even names are listed: thousands of names may be requested thousands of times.
  if (!state.reader.look(1)) return yield { value: {}, fits: true };
  const stated = Object.keys(namedIn(node, "properties"));
  const required = withDependent(state, node, new Set(requiredOf(node)));
  if (!state.reader.look(PASSES * (stated.length + required.size))) return yield { value: {}, fits: true };
  const optional = stated.filter((name) => !required.has(name));
  const isEach = state.optional === "made";
  const wanted =
    isEach && isSparing(state, place)
      ? []
      : optional.filter((name) => isEach || isSpokenOf(state, node, name));
  const patterns = Object.entries(namedIn(node, "patternProperties"));
  const schemaOf = (name: string) => propertySchema(state, node, name, patterns);
  for (let again = 0; again <= (place.unlike === undefined ? MAX_AGAIN : MAX_AGAIN_UNLIKE); again++) {
    const own = createMembers(state, schemaOf, place, again);
    const object = (chosen: readonly string[], members = own) =>
      objectOf(state, node, { required, optional, chosen: new Set(chosen), members });
    const first = object(wanted);
    yield first;
    if (!first.fits) return;
    if (again === 0 && isObject(first.value) && place.unlike?.has(canonicalJson(first.value)) === true) {
      const names = Object.keys(first.value);
      const members = names.map((name) => ({ name, schema: schemaOf(name), first: own(name) }));
      for (const mix of mixesOf(state, members, place))
        yield object(wanted, (name) => mix.get(name) ?? own(name));
    }
    if (again > 0) continue;
    const few = wanted.slice(0, MAX_SINGLE);
    if (wanted.length > 0) yield object([]);
    if (wanted.length > 1) {
      for (const left of few) yield object(wanted.filter((name) => name !== left));
      for (const only of few) yield object([only]);
    } else if (optional.length > wanted.length) {
      yield object(optional);
      const others = optional.slice(0, MAX_SINGLE / 2);
      for (const left of others) yield object(optional.filter((name) => name !== left));
      for (const only of others) yield object([only]);
    }
  }
}

type Members = (name: string) => Made;

type Chosen = {
  readonly required: ReadonlySet<string>;
  readonly optional: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly members: Members;
};

/** Makes each property once, however many objects are tried with it. */
function createMembers(
  state: FillState,
  schemaOf: (name: string) => unknown,
  place: Place,
  again: number,
): Members {
  const known = new Map<string, Made>();
  return (name) => {
    const made =
      known.get(name) ??
      state.make(schemaOf(name), {
        name,
        path: `${place.path}/${name}`,
        item: 0,
        depth: place.depth + 1,
        within: place.within,
        from: place.from + again,
      });
    known.set(name, made);
    return made;
  };
}

function objectOf(state: FillState, node: SchemaNode, { required, optional, chosen, members }: Chosen): Made {
  const most = numberOf(node, "maxProperties") ?? Number.POSITIVE_INFINITY;
  const least = Math.min(numberOf(node, "minProperties") ?? 0, most, MAX_MADE_PROPERTIES);
  const names = new Set(required);
  const hasDependent = node["dependentRequired"] !== undefined;
  const add = (name: string) => {
    const brought = hasDependent ? [...withDependent(state, node, new Set([name]))] : [name];
    const added = brought.filter((each) => !names.has(each));
    if (names.size + added.length > most || !added.every((each) => members(each).fits)) return;
    for (const each of added) names.add(each);
  };
  for (const name of chosen) if (names.size < most) add(name);
  for (const name of optional) if (names.size < least) add(name);
  for (const name of names.size < least ? namesFor(state, node, least + names.size) : []) {
    if (names.size >= least) break;
    add(name);
  }
  // In the schema's order.
  const stated = Object.keys(namedIn(node, "properties"));
  const ordered = new Set([...stated.filter((name) => names.has(name)), ...names]);
  const entries = [...ordered].map((name): [string, JsonValue] => [name, members(name).value]);
  return { value: Object.fromEntries(entries), fits: [...required].every((name) => members(name).fits) };
}

/** Adds every name that one of these requires. */
function withDependent(state: FillState, node: SchemaNode, names: Set<string>): Set<string> {
  const { dependentRequired } = node;
  if (!isObject(dependentRequired)) return names;
  for (const name of names) {
    const needed = Object.hasOwn(dependentRequired, name) ? dependentRequired[name] : undefined;
    if (!Array.isArray(needed) || !state.reader.look(needed.length)) continue;
    // Iterating a set includes entries that are added meanwhile.
    for (const each of needed) if (typeof each === "string") names.add(each);
  }
  return names;
}

/** Everything that the schema says about a property of that name. */
function propertySchema(
  state: FillState,
  node: SchemaNode,
  name: string,
  patterns: readonly (readonly [string, unknown])[],
): unknown {
  const properties = namedIn(node, "properties");
  const stated = Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = state.reader.look(patterns.length)
    ? patterns.filter(([pattern]) => state.patterns.matches(pattern, name))
    : [];
  const all = [...stated, ...matching.map(([, schema]) => schema)];
  if (all.length === 0) return node["additionalProperties"] ?? node["unevaluatedProperties"] ?? true;
  return all.reduce((one, other) => state.reader.both(one, other));
}

function isSpokenOf(state: FillState, node: SchemaNode, name: string): boolean {
  if (state.clues.clues.labels.has(name.toLowerCase())) return true;
  const schema = namedIn(node, "properties")[name];
  const options = isObject(schema) ? schema["enum"] : undefined;
  return Array.isArray(options) && state.clues.options.has(name, options);
}
