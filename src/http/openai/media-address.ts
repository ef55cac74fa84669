import { mayBeHandedOn } from "../../generation/index.ts";

/** Each `host` or `host:port` that the operator has opened. */
export type PrivateHosts = ReadonlySet<string>;

export const NO_PRIVATE_HOSTS: PrivateHosts = new Set();

/** Of an address somewhere else; what carries its bytes, as a data URL or bare base64, is as long as the body may be. */
const MAX_ADDRESS_CHARACTERS = 8_192;
export const ADDRESS_ACCEPTS = `must be a public http or https address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
const INLINE = /^data:/i;
/** A slash begins a path; of what is sent as bare base64 only a JPEG begins with one, and always in this way. */
const BASE64 = /^(?:\/9j\/|(?!\/))[A-Za-z0-9+/=_\r\n-]*$/;

/** Whether it may name a picture, a sound or a file: who is handed one may stand where its neighbours trust it. */
export function isAddress(url: string, hosts: PrivateHosts): boolean {
  return INLINE.test(url) || BASE64.test(url.slice(0, MAX_ADDRESS_CHARACTERS)) || mayBeHandedOn(url, hosts);
}
