import { invalid } from "../../kit/index.ts";
import { isMediaField, MEDIA_FIELDS } from "./beside-fields.ts";
import { type Fault, type FieldRule, faultInField } from "./field-faults.ts";
import { insideIn } from "./inside-in.ts";
import type { JsonObject } from "./json-fields.ts";
import { MediaAddresses, type PrivateHosts } from "./media-address.ts";

/** Inputs and outputs of tools, under the names that clients use: no server fetches an address in them. */
const OF_TOOLS: readonly string[] = [
  "arguments",
  "args",
  "function_call",
  "input",
  "output",
  "result",
  "tool_calls",
  "tools",
];

/** `spoken`: the fields that are only text. Only messages that call a tool or answer for one have any. */
function noInsideAddress(...spoken: readonly string[]): FieldRule {
  return {
    spoken: new Set(spoken),
    faultOf(fields, name, addresses): Fault | null {
      const place = isMediaField(name, fields["type"]) ? insideIn(fields[name], addresses) : null;
      return place === null ? null : { place, words: addresses.accepts };
    },
  };
}

const NO_INSIDE_ADDRESS = noInsideAddress();
const IN_TALK_WITH_TOOLS = noInsideAddress(...OF_TOOLS);
const RULES_OF_ROLES: ReadonlyMap<unknown, FieldRule> = new Map([
  ["assistant", IN_TALK_WITH_TOOLS],
  ["tool", IN_TALK_WITH_TOOLS],
  ["function", IN_TALK_WITH_TOOLS],
]);
/** Of an item only the field that its kind has for it; those of results are read as a content. */
const RULES_OF_KINDS: ReadonlyMap<unknown, FieldRule> = new Map([
  ["function_call", noInsideAddress("arguments")],
  ["custom_tool_call", noInsideAddress("input")],
  ["function_call_output", noInsideAddress("output")],
  ["custom_tool_call_output", noInsideAddress("output")],
]);

/**
 * Finds internal addresses in the fields of a message that are not read here: they are passed on as they are, and
 * servers differ in which of them they read. Checks only images, audio and files: citations and the like, which an
 * answer came with and which come back with it, are left as they were.
 */
export function faultBesideContent(message: JsonObject, addresses: MediaAddresses): Fault | null {
  const rule = RULES_OF_ROLES.get(message["role"]) ?? NO_INSIDE_ADDRESS;
  for (const name in message) {
    // Read and judged elsewhere.
    if (name === "role" || name === "content") continue;
    const fault = faultInField(message, name, rule, addresses);
    if (fault !== null) return fault;
  }
  return null;
}

/** The same of a part or an item of a kind that has no such address. */
export function refuseInsideBeside(given: JsonObject, path: string, addresses: MediaAddresses): void {
  const rule = RULES_OF_KINDS.get(given["type"]) ?? NO_INSIDE_ADDRESS;
  for (const name in given) {
    if (name === "type" || (name === "text" && typeof given["text"] === "string")) continue;
    const fault = faultInField(given, name, rule, addresses);
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
