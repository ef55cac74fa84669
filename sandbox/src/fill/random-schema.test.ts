import { expect, test } from "bun:test";
import fc from "fast-check";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { accepts } from "../../../test/schema-judge.ts";
import { createRandom, pickOne, type Random } from "../random.ts";
import type { JsonValue } from "./check-value.ts";
import { makeValue } from "./make-value.ts";
import { createEffort, createSchemaReader } from "./schema-reader.ts";

/** A constant, because the linter takes an object with a literal `then` for a promise. */
const THEN = "then";

type Schema = Record<string, unknown>;

/** Draws a random value and then a schema that it fits, so that the schema can be filled. */
class Describer {
  readonly definitions: Record<string, Schema> = {};

  constructor(readonly random: Random) {}

  chance(share: number): boolean {
    return this.random() < share;
  }

  upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }

  maybe(share: number, schema: Schema): Schema {
    return this.chance(share) ? schema : {};
  }

  value(depth: number): JsonValue {
    const kind = this.upTo(depth > 0 ? 7 : 4);
    if (kind === 0) return this.upTo(2000) - 500;
    if (kind === 1) return (this.upTo(4000) - 1000) / 8;
    if (kind === 2) return this.chance(0.5);
    if (kind === 3)
      return Array.from({ length: this.upTo(12) }, () =>
        pickOne(this.random, ["a", "B", "7", "-", "é"]),
      ).join("");
    if (kind === 4) return null;
    if (kind === 5) return Array.from({ length: this.upTo(4) }, () => this.value(depth - 1));
    return Object.fromEntries(
      Array.from({ length: this.upTo(4) }, (_, at) => [
        `${pickOne(this.random, ["x", "y"])}${at}`,
        this.value(depth - 1),
      ]),
    );
  }

  schema(value: JsonValue): Schema {
    const plain = this.plain(value);
    const kind = this.upTo(20);
    if (kind === 0) return { anyOf: [this.schema(this.value(1)), plain] };
    if (kind === 1) return { allOf: [plain, this.plain(value)] };
    if (kind === 2) return { ...plain, allOf: [{ anyOf: [this.plain(this.value(1)), this.plain(value)] }] };
    if (kind === 3) return { oneOf: [plain, { type: "string", const: "no such text" }] };
    if (kind === 4) return { ...plain, not: { const: this.value(1) } };
    if (kind === 5) return { if: this.plain(this.value(1)), [THEN]: plain, else: plain };
    if (kind === 6) return { enum: [this.value(1), value, this.value(1)] };
    if (kind === 7) return { const: value };
    if (kind > 9) return plain;
    const name = `d/${Object.keys(this.definitions).length}`;
    this.definitions[name] = plain;
    return { $ref: `#/$defs/${name.replace("/", "~1")}`, ...this.maybe(0.3, this.plain(value)) };
  }

  plain(value: JsonValue): Schema {
    if (value === null) return { type: this.chance(0.5) ? "null" : ["null", "integer"] };
    if (typeof value === "boolean") return { type: "boolean" };
    if (typeof value === "number") return this.number(value);
    if (typeof value === "string") return this.text(value);
    return Array.isArray(value) ? this.list(value) : this.object(value);
  }

  number(value: number): Schema {
    const step = pickOne(this.random, [0.125, 0.5, 1, 3, 10, 100]);
    return {
      type: Number.isInteger(value) && this.chance(0.7) ? "integer" : "number",
      ...this.maybe(0.4, { minimum: value - this.upTo(3) }),
      ...this.maybe(0.4, { maximum: value + this.upTo(3) }),
      ...this.maybe(0.2, { exclusiveMinimum: value - 0.25 }),
      ...this.maybe(0.2, { exclusiveMaximum: value + 0.25 }),
      ...(Number.isInteger(value / step) && this.chance(0.4) ? { multipleOf: step } : {}),
    };
  }

  text(value: string): Schema {
    const length = [...value].length;
    const classes = [...value].map((character) =>
      /[a-z]/.test(character) ? "[a-f]" : /\d/.test(character) ? "\\d" : character,
    );
    return {
      type: "string",
      ...this.maybe(0.3, { minLength: Math.max(0, length - this.upTo(2)) }),
      ...this.maybe(0.3, { maxLength: length + this.upTo(2) }),
      ...this.maybe(0.2, { pattern: `^${classes.join("")}$` }),
    };
  }

  list(items: readonly JsonValue[]): Schema {
    const isUnique = new Set(items.map((item) => JSON.stringify(item))).size === items.length;
    const shape = this.upTo(2);
    return {
      type: "array",
      ...(shape === 0 && items.length > 0 ? { prefixItems: items.map((item) => this.schema(item)) } : {}),
      ...(shape === 1 && items.length > 0
        ? { items: { anyOf: items.map((item) => this.schema(item)) } }
        : {}),
      ...this.maybe(0.5, { minItems: items.length }),
      ...this.maybe(0.4, { maxItems: items.length + this.upTo(1) }),
      ...(isUnique && this.chance(0.2) ? { uniqueItems: true } : {}),
      ...(items[0] !== undefined && this.chance(0.2) ? { contains: this.plain(items[0]) } : {}),
    };
  }

  object(members: { readonly [name: string]: JsonValue }): Schema {
    const names = Object.keys(members);
    const properties = Object.fromEntries(names.map((name) => [name, this.schema(members[name] ?? null)]));
    return {
      type: "object",
      properties: { ...properties, ...this.maybe(0.3, { other: this.schema(this.value(1)) }) },
      ...this.maybe(0.7, { required: names.filter(() => this.chance(0.7)) }),
      ...this.maybe(0.4, { additionalProperties: false }),
      ...this.maybe(0.2, { maxProperties: names.length }),
      ...this.maybe(0.2, { minProperties: names.length }),
      ...this.maybe(0.1, { propertyNames: { pattern: "^[a-z]" } }),
      ...this.maybe(0.1, { patternProperties: { "^z": { type: "integer" } } }),
      ...this.maybe(0.1, { dependentRequired: { other: names } }),
    };
  }
}

/** The same schemas in every run, so that a new one that cannot be filled is not blamed on the latest change. */
const SEED = 20_260_115;

test("a made value fits any random schema that some value fits", () => {
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), (seed, isFull) => {
      const describer = new Describer(createRandom(seed));
      const value = describer.value(3);
      const own = describer.schema(value);
      const schema = { ...own, $defs: describer.definitions };
      fc.pre(accepts(schema, value));
      const reader = createSchemaReader(schema, createEffort());
      const made = makeValue({ reader, random: createRandom(seed), isFull, said: "hi" });
      expect(
        accepts(schema, made),
        `${JSON.stringify(schema)}\nmade ${JSON.stringify(made)}\nfor ${JSON.stringify(value)}`,
      ).toBe(true);
    }),
    { numRuns: roundsOfRun(400), seed: SEED },
  );
});
