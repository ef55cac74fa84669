const CHOICES = ["anyOf", "oneOf", "allOf"] as const;

/**
 * A tool's parameters without a choice between schemas at their top, which some providers refuse: one object with
 * the properties of all. Only what every choice demands is still demanded, so nothing becomes impossible to say.
 */
export function flattenParameters(schema: unknown): unknown {
  if (!isObject(schema) || !CHOICES.some((keyword) => Array.isArray(schema[keyword]))) return schema;
  const { anyOf, oneOf, allOf, properties, required, ...rest } = schema;
  const all = objectsIn(allOf);
  const alternatives = [objectsIn(anyOf), objectsIn(oneOf)].filter((branches) => branches.length > 0);
  const branches = [...alternatives.flat(), ...all, { properties, required }];
  const demanded = [
    ...namesIn(required),
    ...all.flatMap((branch) => namesIn(branch["required"])),
    ...alternatives.flatMap(demandedByEach),
  ];
  return {
    ...rest,
    type: "object",
    properties: Object.assign({}, ...branches.map((branch) => branch["properties"]).filter(isObject)),
    ...(demanded.length === 0 ? {} : { required: [...new Set(demanded)] }),
  };
}

function demandedByEach(branches: readonly Record<string, unknown>[]): string[] {
  const [first, ...others] = branches.map((branch) => namesIn(branch["required"]));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
