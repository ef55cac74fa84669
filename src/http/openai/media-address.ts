import { mayBeHandedOn } from "../../generation/index.ts";
import { isBareBase64 } from "./bare-base64.ts";

/** Each `host` or `host:port` that the operator has opened. */
export type PrivateHosts = ReadonlySet<string>;

export const NO_PRIVATE_HOSTS: PrivateHosts = new Set();

/** Of an address somewhere else; what carries its bytes, as a data URL or bare base64, is as long as the body may be. */
const MAX_ADDRESS_CHARACTERS = 8_192;
export const ADDRESS_ACCEPTS = `must be a public http or https address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
const INLINE = /^data:/i;

/**
 * Whether it may name a picture, a sound or a file: who is handed one may stand where its neighbours trust it. Blanks and
 * line breaks around it mean nothing to those who read it.
 */
export function isAddress(written: string, hosts: PrivateHosts): boolean {
  const url = written.trim();
  return INLINE.test(url) || isBareBase64(url.slice(0, MAX_ADDRESS_CHARACTERS)) || mayBeHandedOn(url, hosts);
}
