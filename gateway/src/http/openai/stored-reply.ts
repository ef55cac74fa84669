import { invalid, isObject } from "../../kit/index.ts";
import { readingOf, refusedAddress } from "./address-fields.ts";
import { type Fault, type FieldRule, faultIn } from "./field-faults.ts";
import type { JsonObject } from "./json-fields.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Fields that refer to data stored at a provider, which anyone who calls it with the operator's key can use. */
const STORED: ReadonlySet<string> = new Set([
  "file_id",
  "file_ids",
  "file_uri",
  "container_id",
  "vector_store_ids",
]);
/** Tool arguments and tool definitions only mention such data: no server looks it up. */
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
 * Refuses references that would make a provider read files that are not the caller's: the operator's own at a vendor,
 * or those that a server on the internal network can reach. Searches the whole part or item, since most of it is not
 * read here and servers differ in which fields they read.
 */
export function refuseStoredReply(given: JsonObject, path: string, addresses: MediaAddresses): void {
  const fault = faultIn(given, NOT_ELSEWHERE, addresses);
  if (fault !== null) throw invalid(`${path}${fault.place}`, fault.words);
}

/** Whether the value refers, at any depth, to data that a provider has stored. */
export function namesStoredReply(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(namesStoredReply);
  return Object.entries(value).some(
    ([name, field]) => !SPOKEN.has(name) && (isStored(name, field) || namesStoredReply(field)),
  );
}

/** If the value is an object, it is a JSON schema's definition of such a field. */
function isStored(name: string, value: unknown): boolean {
  return STORED.has(name) && value !== null && value !== undefined && !isObject(value);
}
