import type { JsonObject } from "./json-fields.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Where it stands is put together on the way back: of a million values hardly one is ever named. */
export type Fault = { readonly place: string; readonly words: string };

/** What is looked for in a value, in all of its depth: that of the request, bounded before, bounds this too. */
export type FieldRule = {
  /** Fields that are words, whatever stands in them. */
  readonly spoken: ReadonlySet<string>;
  /** Of this field alone, which has a value: what stands inside is looked at after it. */
  faultOf(fields: JsonObject, name: string, addresses: MediaAddresses): Fault | null;
};

/** The first there is. */
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

/** In one field of these. */
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
