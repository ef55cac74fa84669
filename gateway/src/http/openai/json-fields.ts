import { invalid, isObject } from "../../kit/index.ts";

/** A JSON object as it was sent, not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a field of the object at path `at`, such as `input[3]`, or of the body itself if `at` is omitted. Here and in
 * all functions below, null counts as absent.
 */
export function booleanOf(owner: JsonObject, field: string, at?: string): boolean | undefined {
  const value = owner[field] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw invalid(pathOf(field, at), "must be true or false");
}

export function stringOf(owner: JsonObject, field: string, at?: string): string | undefined {
  const value = owner[field] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalid(pathOf(field, at), "must be a string");
}

export function objectOf(owner: JsonObject, field: string, at?: string): JsonObject | undefined {
  const value = owner[field] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw invalid(pathOf(field, at), "must be an object");
}

export function numberOf(body: JsonObject, field: string): number | undefined {
  const value = body[field] ?? undefined;
  // 1e400 is parsed as infinity, which JSON cannot represent.
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  throw invalid(field, "must be a number");
}

export function wholeNumberOf(
  body: JsonObject,
  field: string,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  const isWhole = typeof value === "number" && Number.isInteger(value);
  if (isWhole && value >= range.min && value <= range.max) return value;
  throw invalid(field, `must be a whole number from ${range.min} to ${range.max}`);
}

/** May be empty. */
export function requiredString(owner: JsonObject, field: string, at: string): string {
  const value = owner[field];
  if (typeof value === "string") return value;
  throw invalid(pathOf(field, at), "must be a string");
}

export function requiredText(owner: JsonObject, field: string, at: string): string {
  const value = owner[field];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(pathOf(field, at), "must be a string that is not empty");
}

export function requiredList(owner: JsonObject, field: string, at: string): readonly unknown[] {
  const value = owner[field];
  if (Array.isArray(value)) return value;
  throw invalid(pathOf(field, at), "must be a list");
}

function pathOf(field: string, at: string | undefined): string {
  return at === undefined ? field : `${at}.${field}`;
}
