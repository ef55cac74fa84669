import { invalid, isObject } from "../../kit/index.ts";
import { readingOf, refusedAddress } from "./address-fields.ts";
import { type Fault, type FieldRule, faultIn } from "./field-faults.ts";
import type { JsonObject } from "./json-fields.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Fields that name what a provider has stored for anyone who calls it with the operator's key. */
const STORED: ReadonlySet<string> = new Set([
  "file_id",
  "file_ids",
  "file_uri",
  "container_id",
  "vector_store_ids",
]);
/** What a model wrote and what a tool takes only mention such things: no server looks them up. */
const SPOKEN: ReadonlySet<string> = new Set(["arguments", "tools"]);

const NOT_KEPT = "must be absent: nothing is stored here, so send what it refers to";

const NOT_ELSEWHERE: FieldRule = {
  spoken: SPOKEN,
  faultOf(fields, name, addresses): Fault | null {
    const reading = readingOf(name, fields["type"]);
    const place = reading === null ? null : refusedAddress(fields[name], reading, addresses);
    if (place !== null) return { place, words: addresses.accepts };
    return isStored(name, fields[name]) ? { place: "", words: NOT_KEPT } : null;
  },
};

/**
 * Refuses what would make a provider look among files that are not the caller's: the operator's own at a vendor, or
 * those that a server on the internal network can reach. Searches the whole part or item, since most of it is not read
 * here and servers differ in which fields they read.
 */
export function refuseKeptElsewhere(given: JsonObject, path: string, addresses: MediaAddresses): void {
  const fault = faultIn(given, NOT_ELSEWHERE, addresses);
  if (fault !== null) throw invalid(`${path}${fault.place}`, fault.words);
}

/** Whether it names anything that a provider has stored, whatever else it says. */
export function namesKeptElsewhere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(namesKeptElsewhere);
  return Object.entries(value).some(
    ([name, field]) => !SPOKEN.has(name) && (isStored(name, field) || namesKeptElsewhere(field)),
  );
}

/** As an object it is a schema's word for such a field. */
function isStored(name: string, value: unknown): boolean {
  return STORED.has(name) && value !== null && value !== undefined && !isObject(value);
}
