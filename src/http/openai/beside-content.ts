import { invalid } from "../../kit/index.ts";
import { insideIn, isMediaField, MEDIA_FIELDS } from "./beside-fields.ts";
import { type Fault, type FieldRule, faultInField } from "./field-faults.ts";
import type { JsonObject } from "./json-fields.ts";
import { MediaAddresses, type PrivateHosts } from "./media-address.ts";

/** What tools are given and give back, under the names that clients keep it by: nobody fetches what is said there. */
const SPOKEN: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "function_call",
  "input",
  "output",
  "result",
  "tool_calls",
  "tools",
]);

const NO_INSIDE_ADDRESS: FieldRule = {
  spoken: SPOKEN,
  faultOf(fields, name, addresses): Fault | null {
    const place = isMediaField(name, fields["type"]) ? insideIn(fields[name], addresses) : null;
    return place === null ? null : { place, words: addresses.accepts };
  },
};

/**
 * Addresses inside in the fields of a message that nobody reads here: they go on as they are, and servers differ in which
 * of them they read. Pictures, sounds and files alone: citations and the like, which an answer came with and comes back
 * with, are as they were.
 */
export function faultBesideContent(message: JsonObject, addresses: MediaAddresses): Fault | null {
  for (const name in message) {
    // All that most messages have, read and judged elsewhere; compared one by one, since a look into a set takes longer.
    if (name === "role" || name === "content" || name === "tool_calls" || name === "tool_call_id") continue;
    const fault = faultInField(message, name, NO_INSIDE_ADDRESS, addresses);
    if (fault !== null) return fault;
  }
  return null;
}

/** The same of a part or an item of a kind that has no such address. */
export function refuseInsideBeside(given: JsonObject, path: string, addresses: MediaAddresses): void {
  for (const name in given) {
    if (name === "type" || name === "text") continue;
    const fault = faultInField(given, name, NO_INSIDE_ADDRESS, addresses);
    if (fault !== null) throw invalid(`${path}${fault.place}`, fault.words);
  }
}

/** The same of a request's own fields that some servers read pictures, sounds and files from. */
export function refuseInsideRequest(body: JsonObject, privateHosts?: PrivateHosts): void {
  for (const name of MEDIA_FIELDS) {
    if (body[name] === undefined) continue;
    const fault = faultInField(body, name, NO_INSIDE_ADDRESS, new MediaAddresses(privateHosts));
    if (fault !== null) throw invalid(fault.place.slice(1), fault.words);
  }
}
