import { invalid } from "../../kit/index.ts";
import { ADDRESSES, isLoadedField, PERHAPS_ADDRESSES } from "./address-fields.ts";
import { type Fault, type FieldRule, faultInField } from "./field-faults.ts";
import type { JsonObject } from "./json-fields.ts";
import { MediaAddresses, type PrivateHosts } from "./media-address.ts";
import { unnested } from "./unnested.ts";

/** Lists of plain addresses, which some servers accept next to a message's content or at the top level of a request. */
const LISTS: readonly string[] = ["images", "audios", "videos"];
/** Fields that hold images, audio or files wherever they occur. */
const MEDIA_FIELDS: ReadonlySet<string> = new Set([...ADDRESSES, ...LISTS, "input_audio"]);
/** The `type` of a part that is an image, audio or file. */
const MEDIA_PART = /^(?:input_)?(?:image|audio|video|document|file)(?:_url)?$/;
/** Fields of such a part. Elsewhere, a `url` only says where something was found, and the others are text. */
const PART_FIELDS: ReadonlySet<string> = new Set([...PERHAPS_ADDRESSES, "url", "file"]);

/**
 * Whether a server may read an address from the field `name` of an object of type `kind`, outside of a message's
 * content. If the object is an image, audio or file by its type, several fields may hold one; if not, only fields that
 * are for nothing else.
 */
function isMediaField(name: string, kind: unknown): boolean {
  if (MEDIA_FIELDS.has(name)) return true;
  if (typeof kind !== "string" || !MEDIA_PART.test(kind)) return false;
  if (PART_FIELDS.has(name) || isLoadedField(name, kind)) return true;
  return name === "data" && kind === "input_audio";
}

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

/** `spoken` are fields that are only text; only messages and items with a tool call or its result have such fields. */
function noInsideAddress(...spoken: readonly string[]): FieldRule {
  return {
    spoken: new Set(spoken),
    faultOf(fields, name, addresses): Fault | null {
      const place = isMediaField(name, fields["type"]) ? unnested(fields[name], addresses) : null;
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
/**
 * An item is exempt only in the field that its type has for this; outputs that are lists of parts are checked as
 * content.
 */
const RULES_OF_KINDS: ReadonlyMap<unknown, FieldRule> = new Map([
  ["function_call", noInsideAddress("arguments")],
  ["custom_tool_call", noInsideAddress("input")],
  ["function_call_output", noInsideAddress("output")],
  ["custom_tool_call_output", noInsideAddress("output")],
]);

/**
 * Finds addresses of the internal network in the fields of a message that are not read here: they are passed on
 * unchanged, and servers differ in which of them they read. Only fields for images, audio and files are checked;
 * citations and the like, which belong to an earlier answer and come back with it, are left as they are.
 */
export function faultInCompanions(message: JsonObject, addresses: MediaAddresses): Fault | null {
  const rule = RULES_OF_ROLES.get(message["role"]) ?? NO_INSIDE_ADDRESS;
  for (const name in message) {
    // Decoded and checked elsewhere.
    if (name === "role" || name === "content") continue;
    const fault = faultInField(message, name, rule, addresses);
    if (fault !== null) return fault;
  }
  return null;
}

/** Refuses the same in a part or an item of a type that has no address. */
export function refuseInsideCompanions(given: JsonObject, path: string, addresses: MediaAddresses): void {
  const rule = RULES_OF_KINDS.get(given["type"]) ?? NO_INSIDE_ADDRESS;
  for (const name in given) {
    if (name === "type" || (name === "text" && typeof given["text"] === "string")) continue;
    const fault = faultInField(given, name, rule, addresses);
    if (fault !== null) throw invalid(`${path}${fault.place}`, fault.words);
  }
}

/** Refuses the same in top-level fields of a request that some servers read images, audio and files from. */
export function refuseInsideRequest(body: JsonObject, privateHosts?: PrivateHosts): void {
  for (const name of MEDIA_FIELDS) {
    if (body[name] === undefined) continue;
    const fault = faultInField(body, name, NO_INSIDE_ADDRESS, new MediaAddresses(privateHosts));
    if (fault !== null) throw invalid(fault.place.slice(1), fault.words);
  }
}
