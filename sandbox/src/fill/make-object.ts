import type { JsonValue } from "./check-value.ts";
import type { Filling, Made, Place } from "./filling.ts";
import { namedIn, numberOf, requiredOf, type Schema } from "./schema-node.ts";

/** Properties that are left out or added one at a time. */
const MAX_SINGLE = 8;
/** New values for all properties, for objects that are wrong and for those that must differ. */
const MAX_AGAIN = 3;
const MAX_AGAIN_UNLIKE = 24;
const MAX_MADE_PROPERTIES = 1000;
const MAX_RANDOM_START = 64;

/** Objects with the wanted properties, with the required ones, with one fewer and one more, then with other values. */
export function* objectsOf(filling: Filling, node: Schema, place: Place): Generator<Made> {
  const stated = Object.keys(namedIn(node, "properties"));
  const required = withDependent(filling, node, new Set(requiredOf(node)));
  const { effort } = filling.reader;
  effort.left -= 2 * (stated.length + required.size);
  if (effort.left <= 0) return yield { value: {}, fits: true };
  const optional = stated.filter((name) => !required.has(name));
  const wanted = filling.isFull && !filling.isSparing(place) ? optional : [];
  for (let again = 0; again <= (place.unlike === undefined ? MAX_AGAIN : MAX_AGAIN_UNLIKE); again++) {
    const members = createMembers(filling, node, { ...place, from: place.from + again }, again % 2 === 1);
    const object = (chosen: readonly string[]) =>
      objectOf(filling, node, { required, optional, chosen, members });
    const first = object(wanted);
    yield first;
    if (!first.fits) return;
    if (again > 0) continue;
    if (wanted.length > 0) yield object([]);
    const few = optional.slice(0, MAX_SINGLE);
    for (const left of few) yield object(optional.filter((name) => name !== left));
    for (const only of few) yield object([only]);
  }
}

type Members = (name: string) => Made;

/** Makes each property once, however many objects are tried with it; at random if the usual values were wrong. */
function createMembers(filling: Filling, node: Schema, place: Place, isRandom: boolean): Members {
  const known = new Map<string, Made>();
  const shapes = Object.entries(namedIn(node, "patternProperties"));
  const properties = namedIn(node, "properties");

  function schemaOf(name: string): unknown {
    filling.reader.effort.left -= shapes.length;
    const matching = shapes.filter(([pattern]) => filling.patterns.matches(pattern, name));
    const all = [
      ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
      ...matching.map(([, schema]) => schema),
    ];
    if (all.length === 0) return node["additionalProperties"] ?? node["unevaluatedProperties"] ?? true;
    return all.length === 1 ? all[0] : { allOf: all };
  }

  const randomStart = () => Math.floor(filling.random() * MAX_RANDOM_START);

  return (name) => {
    const made =
      known.get(name) ??
      filling.make(schemaOf(name), {
        ...place,
        from: isRandom ? randomStart() : place.from,
        name,
        unlike: undefined,
      });
    known.set(name, made);
    return made;
  };
}

type Chosen = {
  readonly required: ReadonlySet<string>;
  readonly optional: readonly string[];
  readonly chosen: readonly string[];
  readonly members: Members;
};

function objectOf(filling: Filling, node: Schema, { required, optional, chosen, members }: Chosen): Made {
  const most = numberOf(node, "maxProperties", Number.POSITIVE_INFINITY);
  const least = Math.min(numberOf(node, "minProperties", 0), most, MAX_MADE_PROPERTIES);
  const names = new Set(required);
  const add = (name: string) => {
    const brought = withDependent(filling, node, new Set([name]));
    const added = [...brought].filter((each) => !names.has(each));
    if (names.size + added.length > most || !added.every((each) => members(each).fits)) return;
    for (const each of added) names.add(each);
  };
  for (const name of chosen) add(name);
  for (const name of optional) if (names.size < least) add(name);
  for (const name of names.size < least ? newNames(filling, node, 2 * least) : []) {
    if (names.size < least) add(name);
  }
  // In the schema's order.
  const ordered = new Set([
    ...Object.keys(namedIn(node, "properties")).filter((name) => names.has(name)),
    ...names,
  ]);
  const entries = [...ordered].map((name): [string, JsonValue] => [name, members(name).value]);
  return { value: Object.fromEntries(entries), fits: [...required].every((name) => members(name).fits) };
}

/** Adds every name that one of these requires. */
function withDependent({ reader: { effort } }: Filling, node: Schema, names: Set<string>): Set<string> {
  const dependent = namedIn(node, "dependentRequired");
  for (const name of names) {
    const needed = Object.hasOwn(dependent, name) ? dependent[name] : undefined;
    if (!Array.isArray(needed) || effort.left <= 0) continue;
    effort.left -= needed.length;
    // Iterating a set includes what is added meanwhile.
    for (const each of needed) if (typeof each === "string") names.add(each);
  }
  return names;
}

/** Names that the schema allows beside the stated ones. */
function* newNames(filling: Filling, node: Schema, count: number): Generator<string> {
  const allowed = node["propertyNames"];
  const shapes = Object.keys(namedIn(node, "patternProperties"));
  for (let at = 0; at < count; at++) {
    const schemas = [...shapes.map((pattern) => ({ pattern })), ...(allowed === undefined ? [] : [allowed])];
    for (const schema of schemas) {
      const text = { allOf: [{ type: "string" }, schema] };
      const { value } = filling.make(text, { name: "", within: [], from: at });
      if (typeof value === "string") yield value;
    }
    if (allowed === undefined) yield `extra${at + 1}`;
  }
}
