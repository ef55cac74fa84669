import { isObject } from "../../../gateway/src/kit/index.ts";
import { badField } from "./wire-error.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A field that is null is absent, as everywhere on this wire. */
export function textIn(fields: Fields, name: string): string | undefined {
  return typed(fields, name, (value) => typeof value === "string", "must be a string");
}

export function requiredText(fields: Fields, name: string, most: number): string {
  const text = textIn(fields, name);
  if (!text) throw badField(name, "must be a text");
  if (text.length > most) throw badField(name, `must have at most ${most} characters`);
  return text;
}

export function flagIn(fields: Fields, name: string): boolean | undefined {
  return typed(fields, name, (value) => typeof value === "boolean", "must be true or false");
}

export function numberIn(
  fields: Fields,
  name: string,
  { min, max, whole = false }: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number | undefined {
  const isIn = (value: unknown): value is number =>
    typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
  return typed(fields, name, isIn, `must be a ${whole ? "whole " : ""}number from ${min} to ${max}`);
}

export function listIn(fields: Fields, name: string): readonly Fields[] {
  const isList = (value: unknown): value is readonly Fields[] =>
    Array.isArray(value) && value.every(isObject);
  return typed(fields, name, isList, "must be a list of objects") ?? [];
}

export function objectIn(fields: Fields, name: string): Fields | undefined {
  return typed(fields, name, isObject, "must be an object");
}

function typed<Value>(
  fields: Fields,
  name: string,
  is: (value: unknown) => value is Value,
  why: string,
): Value | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (is(value)) return value;
  throw badField(name, why);
}
