/**
 * As much of JSON Schema as the published reply schemas use, so that replies can be checked without a library. Ignores
 * formats, patterns and discriminators.
 */
type Schema = Readonly<Record<string, unknown>>;

export type SchemaBook = {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Where and how the value violates the schema of that name; empty if it does not. */
  faults(name: string, value: unknown): readonly string[];
};

const REFERENCE = "#/components/schemas/";

export function createSchemaBook(document: unknown): SchemaBook {
  const { schemas } = (document as { components: { schemas: Record<string, Schema> } }).components;

  function check(schema: Schema, value: unknown, at: string): string[] {
    const { $ref: reference, nullable } = schema;
    if (nullable === true && value === null) return [];
    if (typeof reference === "string") return check(schemaOf(reference), value, at);
    return [
      ...checkType(schema, value, at),
      ...checkChoices(schema, value, at),
      ...(Array.isArray(value) ? checkList(schema, value, at) : []),
      ...(isObject(value) ? checkObject(schema, value, at) : []),
    ];
  }

  function schemaOf(reference: string): Schema {
    const schema = schemas[reference.slice(REFERENCE.length)];
    if (schema === undefined) throw new Error(`no schema ${reference}`);
    return schema;
  }

  function checkChoices(schema: Schema, value: unknown, at: string): string[] {
    const faults = listOf(schema["allOf"]).flatMap((part) => check(part, value, at));
    for (const [kind, isRight] of [
      ["anyOf", (matches: number) => matches > 0],
      ["oneOf", (matches: number) => matches === 1],
    ] as const) {
      const choices = listOf(schema[kind]);
      if (choices.length === 0) continue;
      const tried = choices.map((choice) => check(choice, value, at));
      const matches = tried.filter((wrong) => wrong.length === 0).length;
      if (isRight(matches)) continue;
      const nearest = tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
      faults.push(`${at}: ${matches} of ${choices.length} choices fit (${nearest.join("; ").slice(0, 300)})`);
    }
    return faults;
  }

  function checkList(schema: Schema, value: readonly unknown[], at: string): string[] {
    const { items } = schema;
    return isObject(items) ? value.flatMap((entry, index) => check(items, entry, `${at}[${index}]`)) : [];
  }

  function checkObject(schema: Schema, value: Schema, at: string): string[] {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
    const required = (schema["required"] ?? []) as readonly string[];
    const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name}: missing`);
    const { additionalProperties: others } = schema;
    const wrong = Object.entries(value).flatMap(([name, entry]) => {
      const known = properties[name];
      if (known !== undefined) return check(known, entry, `${at}.${name}`);
      if (others === false) return [`${at}.${name}: not known`];
      return isObject(others) ? check(others, entry, `${at}.${name}`) : [];
    });
    return [...missing, ...wrong];
  }

  return { schemas, faults: (name, value) => check({ $ref: REFERENCE + name }, value, name) };
}

function checkType(schema: Schema, value: unknown, at: string): string[] {
  const types =
    typeof schema["type"] === "string" ? [schema["type"]] : (schema["type"] as string[] | undefined);
  if (types !== undefined && !types.some((type) => isOf(type, value))) {
    return [`${at}: ${JSON.stringify(value)?.slice(0, 60)} is no ${types.join(" or ")}`];
  }
  const allowed = schema["enum"];
  if (Array.isArray(allowed) && !allowed.includes(value)) return [`${at}: ${value} is none of ${allowed}`];
  const { minimum, maximum } = schema;
  const isLow = typeof minimum === "number" && typeof value === "number" && value < minimum;
  const isHigh = typeof maximum === "number" && typeof value === "number" && value > maximum;
  return isLow || isHigh ? [`${at}: ${value} is out of range`] : [];
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value : [];
}
