/** Keywords of a JSON schema under which stand names of its author's, each with a schema of its own. */
export const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Keywords whose values are schemas, lists or maps of them. What stands under any other may be data, of whatever words. */
export const OF_SCHEMAS: ReadonlySet<string> = new Set([
  ...MAPS_OF_SCHEMAS,
  "items",
  "prefixItems",
  "additionalItems",
  "contains",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
]);

/** Their values are data: a keyword's name in them means nothing. */
export const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

/** Schemas of which one, or all, hold beside what stands around them. */
export const CHOICES = ["anyOf", "oneOf", "allOf"] as const;
