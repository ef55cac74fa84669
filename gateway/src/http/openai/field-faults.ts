import type { JsonObject } from "./json-fields.ts";
import type { MediaAddresses } from "./media-address.ts";

/** A refused value. Its path is built on the way back, since of hundreds of thousands of values hardly one is ever refused. */
export type Fault = { readonly place: string; readonly words: string };

/** What to look for in a value, at any depth; that is bounded, since the depth of the request was checked before. */
export type FieldRule = {
  /** Fields that are only text: their values are not checked. */
  readonly spoken: ReadonlySet<string>;
  /** Checks this field alone, which is not null; values nested in it are checked afterwards. */
  faultOf(fields: JsonObject, name: string, addresses: MediaAddresses): Fault | null;
};

/** Returns the first fault in the value. */
export function faultIn(value: unknown, rule: FieldRule, addresses: MediaAddresses): Fault | null {
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value)
    ? faultInList(value, rule, addresses)
    : faultInFields(value as JsonObject, rule, addresses);
}

function faultInList(list: readonly unknown[], rule: FieldRule, addresses: MediaAddresses): Fault | null {
  for (let at = 0; at < list.length; at++) {
    const fault = faultIn(list[at], rule, addresses);
    if (fault !== null) return { place: `[${at}]${fault.place}`, words: fault.words };
  }
  return null;
}

function faultInFields(fields: JsonObject, rule: FieldRule, addresses: MediaAddresses): Fault | null {
  for (const name in fields) {
    const fault = faultInField(fields, name, rule, addresses);
    if (fault !== null) return fault;
  }
  return null;
}

export function faultInField(
  fields: JsonObject,
  name: string,
  rule: FieldRule,
  addresses: MediaAddresses,
): Fault | null {
  const value = fields[name];
  if (value === null || value === undefined || rule.spoken.has(name)) return null;
  const fault = rule.faultOf(fields, name, addresses) ?? faultIn(value, rule, addresses);
  return fault === null ? null : { place: `.${name}${fault.place}`, words: fault.words };
}
