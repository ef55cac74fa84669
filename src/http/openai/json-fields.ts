import { invalid, isObject } from "../../kit/index.ts";

/** A JSON object as it was sent: nothing of it is checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A field that is null is absent, here and in all of these. */
export function booleanOf(body: JsonObject, field: string): boolean | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw invalid(field, "must be true or false");
}

export function numberOf(body: JsonObject, field: string): number | undefined {
  const value = body[field] ?? undefined;
  // 1e400 is read as infinity, which no JSON can say again.
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

export function objectOf(body: JsonObject, field: string): JsonObject | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw invalid(field, "must be an object");
}

/** The text at `path`, which is only put together where it is wrong. */
export function requireText(value: unknown, path: () => string): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalid(path(), "must be a string that is not empty");
}

/** Undefined where there is none. */
export function optionalText(value: unknown, path: () => string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw invalid(path(), "must be a string");
}
