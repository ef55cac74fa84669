import { mayBeHandedOn } from "../../generation/index.ts";
import { invalid, isObject } from "../../kit/index.ts";
import type { JsonObject } from "./json-fields.ts";

/** Each `host` or `host:port` that the operator has opened. */
export type PrivateHosts = ReadonlySet<string>;

export const NO_PRIVATE_HOSTS: PrivateHosts = new Set();

/** Of an address somewhere else; what carries its bytes, as a data URL or bare base64, is as long as the body may be. */
const MAX_ADDRESS_CHARACTERS = 8_192;
const ACCEPTS = `must be a public http or https address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
const INLINE = /^data:/i;
/** A slash begins a path; of what is sent as bare base64 only a JPEG begins with one, and always in this way. */
const BASE64 = /^(?:\/9j\/|(?!\/))[A-Za-z0-9+/=_\r\n-]*$/;

/** Fields that name a picture, a sound or a file, on their own or by a `url` inside. */
const ADDRESSES: ReadonlySet<string> = new Set([
  "image_url",
  "audio_url",
  "video_url",
  "document_url",
  "file_url",
  "file_data",
]);

/**
 * Refuses what would have a server of the operator's own read its disk or its neighbours. Addresses are looked for in all
 * of the part, since servers differ in which of its fields they read.
 */
export function checkAddresses(part: JsonObject, path: string, hosts: PrivateHosts): void {
  for (const name in part) {
    const value = part[name];
    if (typeof value === "string") {
      if (ADDRESSES.has(name)) checkAddress(value, `${path}.${name}`, hosts);
    } else if (isObject(value)) {
      const { url } = value;
      if (typeof url === "string" && ADDRESSES.has(name)) checkAddress(url, `${path}.${name}.url`, hosts);
      checkAddresses(value, `${path}.${name}`, hosts);
    } else if (Array.isArray(value)) {
      for (const [at, each] of value.entries())
        if (isObject(each)) checkAddresses(each, `${path}.${name}[${at}]`, hosts);
    }
  }
}

function checkAddress(url: string, path: string, hosts: PrivateHosts): void {
  if (INLINE.test(url) || BASE64.test(url.slice(0, MAX_ADDRESS_CHARACTERS))) return;
  if (!mayBeHandedOn(url, hosts)) throw invalid(path, ACCEPTS);
}
