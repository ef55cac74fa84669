export type Fields = Readonly<Record<string, unknown>>;

/** Also true for a list, which has none of the fields that we read. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The value if it is an object, otherwise an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The value if it is a string, otherwise an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The same object if the field already has this value. */
export function withField(given: Fields, name: string, value: unknown): Fields {
  return given[name] === value ? given : { ...given, [name]: value };
}

/** Some servers send the arguments as an object instead of a string. */
export function argumentsOf(given: unknown): string {
  if (typeof given === "string") return given;
  return isFields(given) ? JSON.stringify(given) : "";
}
