export type Fields = Readonly<Record<string, unknown>>;

/** A list too: it has none of the fields that anybody asks for. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** What stands where an object should; nothing, where none does. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** What stands where a text should. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The very object where it has this. */
export function withField(given: Fields, name: string, value: unknown): Fields {
  return given[name] === value ? given : { ...given, [name]: value };
}
