/** JSON Schema keywords that map names chosen by the author to schemas. */
export const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Keywords whose values are schemas, or lists or maps of them. Values of any other keyword may be arbitrary data. */
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

/** Keywords whose values are data: a keyword's name inside them means nothing. */
export const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

/** Keywords that list schemas which apply in addition to the surrounding one: one of them, or all. */
export const CHOICES = ["anyOf", "oneOf", "allOf"] as const;
