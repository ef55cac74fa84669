import type { FillState } from "./fill-state.ts";
import { namedIn, type SchemaNode } from "./schema/schema-node.ts";

const MAX_OF_PATTERN = 24;

/** Names that an object may have in addition to those in its schema. */
export function* namesFor(state: FillState, node: SchemaNode, most: number): Generator<string> {
  const { propertyNames, additionalProperties, unevaluatedProperties } = node;
  const isOpen = additionalProperties !== false && unevaluatedProperties !== false;
  if (isOpen && propertyNames === undefined) {
    for (let at = 1; at <= most; at++) yield `key${at}`;
  } else if (isOpen) yield* namesOf(state, propertyNames, most);
  const anyLength = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const pattern of Object.keys(namedIn(node, "patternProperties"))) {
    let count = 0;
    for (const name of state.patterns.texts(pattern, anyLength, state.random)) {
      if (state.check(propertyNames ?? true, name)) yield name;
      if (++count >= MAX_OF_PATTERN) break;
    }
  }
}

function* namesOf(state: FillState, schema: unknown, most: number): Generator<string> {
  const seen = new Set<string>();
  for (let at = 0; at < most; at++) {
    const place = { name: "", path: "", item: 0, depth: 0, within: undefined, unlike: seen, from: at };
    const { value, fits } = state.make(state.reader.both(schema, A_TEXT), place);
    if (!fits || typeof value !== "string") return;
    seen.add(JSON.stringify(value));
    yield value;
  }
}

const A_TEXT: SchemaNode = { type: "string" };
