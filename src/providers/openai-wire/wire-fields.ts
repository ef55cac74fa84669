export type Fields = Readonly<Record<string, unknown>>;

/** What stands where an object should; nothing, where none does. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** What stands where a text should. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
