import { canonicalJson, isObject } from "../../../../gateway/src/kit/index.ts";
import {
  type FillState,
  isSparing,
  MAX_UNHURRIED_VALUES,
  MAX_VALUES,
  type Made,
  type Place,
  type ValueRequest,
} from "../fill-state.ts";
import type { JsonValue } from "../json-value.ts";
import { arraysOf } from "../make-array.ts";
import { objectsOf } from "../make-object.ts";
import { otherWritings } from "../moments.ts";
import { createPatternBook } from "../pattern/pattern-text.ts";
import { inTurn, saidOfBranch } from "../said-branch.ts";
import { createCheck } from "./schema-check.ts";
import { createHeights } from "./schema-height.ts";
import { NEVER, type SchemaNode, type SchemaType, typesOf } from "./schema-node.ts";
import { fitsNumber, makeNumber, numbersOf } from "./schema-number.ts";
import { fitsText, textsOf } from "./schema-text.ts";

/** A schema that requires itself ends here. */
const MAX_REQUIRED_DEPTH = 64;
/** Limit for all texts of one answer. */
const MAX_CHARACTERS = 500_000;
/** Tries for one place, for one branch of it, and for one answer in total. */
const MAX_TRIES = 64;
const MAX_TRIES_OF_BRANCH = 12;
const MAX_CHOICES = 100;
const MAX_TRIES_AGAIN = 5000;
/** Unbounded numbers are small. */
const MAX_WISH = 9;
/** Per schema: the first failure may have been bad luck. */
const MAX_FAILURES = 2;

/**
 * A value that the schema accepts, with what the prompt says about it. Values are proposed from the keywords and then
 * checked; if one is wrong, the next is tried, within limits.
 */
export function makeValue(request: ValueRequest): JsonValue {
  const { reader } = request;
  const patterns = createPatternBook();
  const check = createCheck(reader, patterns);
  const looksBefore = reader.spent();
  const state: FillState = {
    ...request,
    make: (schema, place) => make(state, schema, place),
    patterns,
    valuesLeft: MAX_VALUES,
    triesLeft: MAX_TRIES_AGAIN,
    charactersLeft: MAX_CHARACTERS,
    check: check.fits,
    heightOf: createHeights(reader, MAX_REQUIRED_DEPTH),
    cuts: 0,
    failures: new Map(),
    sizes: new Map(),
    saidAt: new Map(),
    valuesOfSchema: new Map(),
    saidOfBranches: new Map(),
  };
  const { value } = make(state, reader.root, {
    name: "",
    path: "",
    item: 0,
    depth: 0,
    within: undefined,
    from: 0,
  });
  if (request.toil !== undefined) {
    const made = 2 - state.valuesLeft / MAX_VALUES - state.charactersLeft / MAX_CHARACTERS;
    request.toil.share += made + patterns.spent() + check.spent() + reader.spent() - looksBefore;
  }
  return value;
}

/** The first proposed value that the schema accepts; else the first proposed, as the closest. */
function make(state: FillState, schema: unknown, place: Place): Made {
  const node = state.reader.resolve(schema);
  if (node === NEVER) return { value: null, fits: false };
  const failure = state.failures.get(node);
  if (failure !== undefined && failure.times >= MAX_FAILURES) return { value: failure.value, fits: false };
  if (isTooDeep(state, place, node)) {
    state.cuts++;
    return { value: null, fits: false };
  }
  const cutsBefore = state.cuts;
  const inside = { ...place, within: { node, outer: place.within } };
  let nearest: JsonValue | undefined;
  let tried = 0;
  for (const made of valuesOf(state, node, inside)) {
    if (made.fits && !isKnown(place, made.value) && state.check(schema, made.value)) return made;
    nearest ??= made.value;
    if (++tried >= MAX_TRIES + place.from || --state.triesLeft <= 0) break;
  }
  const value = nearest ?? null;
  if (place.unlike === undefined && state.cuts === cutsBefore)
    state.failures.set(node, { times: (failure?.times ?? 0) + 1, value: emptied(value) });
  return { value, fits: false };
}

/** A value used in several places must be small: nested, it would double at every level. */
function emptied(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

function isTooDeep(state: FillState, place: Place, node: SchemaNode): boolean {
  if (state.valuesLeft <= 0 || place.depth > MAX_REQUIRED_DEPTH) return true;
  return isSparing(state, place, node) && place.depth + state.heightOf(node) > MAX_REQUIRED_DEPTH;
}

function isKnown({ unlike }: Place, value: JsonValue): boolean {
  return unlike?.has(canonicalJson(value)) === true;
}

function* valuesOf(state: FillState, node: SchemaNode, place: Place, choices = 0): Generator<Made> {
  if (node === NEVER || --state.valuesLeft < 0) return;
  if ("const" in node) return yield* stated(state, node["const"]);
  if (Array.isArray(node["enum"]) && node["enum"].length > 0) {
    yield* stated(state, oneOfEnum(state, node["enum"], place));
    for (const option of node["enum"]) yield* stated(state, option);
    return;
  }
  const union = choices < MAX_CHOICES ? state.reader.union(node) : undefined;
  if (union === undefined) {
    for (const type of typesOf(node)) yield* upTo(valuesOfType(state, node, type, place), place);
    return;
  }
  for (const branch of inOrder(state, union.branches, place)) {
    yield* upTo(valuesOf(state, state.reader.choose(union.rest, branch), place, choices + 1), place);
  }
}

function sure(value: unknown): Made {
  return { value: value as JsonValue, fits: true };
}

/** A value from the schema itself; a large one counts against the limit of texts. */
function* stated(state: FillState, value: unknown): Generator<Made> {
  const size = typeof value === "object" && value !== null ? sizeOf(state, value) : 0;
  if (state.charactersLeft < size) {
    state.cuts++;
    return;
  }
  state.charactersLeft -= size;
  yield sure(value);
}

function sizeOf(state: FillState, value: object): number {
  const size = state.sizes.get(value) ?? JSON.stringify(value).length;
  state.sizes.set(value, size);
  return size;
}

function* upTo(values: Generator<Made>, place: Place): Generator<Made> {
  let count = 0;
  for (const value of values) {
    yield value;
    if (++count >= MAX_TRIES_OF_BRANCH + place.from) return;
  }
}

/** Branches that the prompt mentions first, and `null` last; if only the required is made, the shallowest first. */
function inOrder(state: FillState, branches: readonly unknown[], place: Place): unknown[] {
  const isNull = (branch: unknown) => isObject(branch) && branch["type"] === "null";
  if (!isSparing(state, place)) {
    const weightOf = (branch: unknown) => (isNull(branch) ? -1 : saidOfBranch(state, place.name, branch));
    const sorted = branches.toSorted((one, other) => weightOf(other) - weightOf(one));
    return inTurn(sorted, sorted.map(weightOf), place.item);
  }
  const heights = new Map(branches.map((branch) => [branch, state.heightOf(state.reader.resolve(branch))]));
  const heightOf = (branch: unknown) =>
    Math.min(heights.get(branch) ?? 0, MAX_REQUIRED_DEPTH) - (isNull(branch) ? 1 : 0);
  return branches.toSorted((one, other) => heightOf(one) - heightOf(other));
}

function* valuesOfType(state: FillState, node: SchemaNode, type: SchemaType, place: Place): Generator<Made> {
  switch (type) {
    case "object":
      return yield* objectsOf(state, node, place);
    case "array":
      return yield* arraysOf(state, node, place);
    case "string":
      return yield* stringsOf(state, node, place);
    case "number":
    case "integer": {
      const whole = type === "integer";
      if (place.from === 0) yield sure(numberFrom(state, node, whole, place));
      // Values that must differ start beyond the random ones.
      const wish = place.from === 0 ? wishedNumber(state) : MAX_WISH;
      for (const value of numbersOf(node, whole, wish, place.from)) yield sure(value);
      return;
    }
    case "boolean": {
      const any = state.random() < 0.5;
      const value = (place.name === "" ? undefined : state.clues.truth(place.name)) ?? any;
      yield sure(value);
      return yield sure(!value);
    }
    case "null":
      return yield sure(null);
  }
}

function* stringsOf(state: FillState, node: SchemaNode, place: Place): Generator<Made> {
  if (state.charactersLeft <= 0) return yield sure("");
  const said = fromPrompt(state, node, place);
  const writings = said === undefined ? [] : [said, ...otherWritings(said)];
  for (const text of writings) if (fitsText(node, text)) yield sure(text);
  for (const text of textsOf(node, state, place.from)) {
    state.charactersLeft -= text.length;
    yield sure(text);
  }
}

function oneOfEnum(state: FillState, options: readonly unknown[], place: Place): JsonValue {
  const said = saidOnce(state, place, () => state.clues.options.take(place.name, options, place.item));
  const any = options[Math.floor(state.random() * options.length)] ?? null;
  // The remembered option may be from a different list at the same path.
  return (said !== undefined && options.includes(said) ? said : any) as JsonValue;
}

function fromPrompt(state: FillState, node: SchemaNode, place: Place): string | undefined {
  const { name, item } = place;
  if (name === "") return undefined;
  const format = typeof node["format"] === "string" ? node["format"] : undefined;
  const found = saidOnce(
    state,
    place,
    () => state.clues.text(name, { format, item }) ?? state.clues.wholePrompt(name),
  );
  return typeof found === "string" ? found : undefined;
}

function numberFrom(state: FillState, node: SchemaNode, whole: boolean, place: Place): number {
  const { name, item } = place;
  const fits = (value: number) => fitsNumber(node, value, whole);
  const said =
    name === "" ? undefined : saidOnce(state, place, () => state.clues.number(name, { fits, item }));
  if (typeof said === "number" && fits(said)) return said;
  return makeNumber(node, whole, wishedNumber(state));
}

function wishedNumber(state: FillState): number {
  return 1 + Math.floor(state.random() * MAX_WISH);
}

/** A prompt has a few dozen clues; after hundreds of values it is not asked any more. */
function saidOnce(state: FillState, { path }: Place, ask: () => unknown): unknown {
  if (!state.saidAt.has(path) && state.saidAt.size < MAX_UNHURRIED_VALUES) state.saidAt.set(path, ask());
  return state.saidAt.get(path);
}
