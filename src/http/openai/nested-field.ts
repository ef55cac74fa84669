import { invalid, isObject } from "../../kit/index.ts";
import type { JsonObject } from "./json-fields.ts";

/** Fields of an object that stands at `at`, such as `input[3]`. One that is null is absent. */
export function optionalString(owner: JsonObject, field: string, at: string): string | null {
  const value = owner[field] ?? null;
  if (value === null || typeof value === "string") return value;
  throw invalid(`${at}.${field}`, "must be a string");
}

/** May be empty. */
export function requiredString(owner: JsonObject, field: string, at: string): string {
  const value = owner[field];
  if (typeof value === "string") return value;
  throw invalid(`${at}.${field}`, "must be a string");
}

export function optionalBoolean(owner: JsonObject, field: string, at: string): boolean | null {
  const value = owner[field] ?? null;
  if (value === null || typeof value === "boolean") return value;
  throw invalid(`${at}.${field}`, "must be true or false");
}

export function optionalObject(owner: JsonObject, field: string, at: string): JsonObject | null {
  const value = owner[field] ?? null;
  if (value === null || isObject(value)) return value;
  throw invalid(`${at}.${field}`, "must be an object");
}

export function requiredList(owner: JsonObject, field: string, at: string): readonly unknown[] {
  const value = owner[field];
  if (Array.isArray(value)) return value;
  throw invalid(`${at}.${field}`, "must be a list");
}
