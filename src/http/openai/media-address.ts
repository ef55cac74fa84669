import { mayBeHandedOn } from "../../generation/index.ts";
import { beginsWithScheme } from "./address-beginning.ts";
import { isBareBase64 } from "./bare-base64.ts";
import { hostsNamedIn } from "./named-hosts.ts";

/** Each `host` or `host:port` that the operator has allowed. */
export type PrivateHosts = ReadonlySet<string>;

const NO_PRIVATE_HOSTS: PrivateHosts = new Set();

/** For an address elsewhere. A data URL or bare base64, which carries the bytes, may be as long as the body. */
const MAX_ADDRESS_CHARACTERS = 8_192;
const ADDRESS_ACCEPTS = `must be a public http or https address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
/** Elsewhere, of one call. No model looks at as many pictures, and each is read letter by letter. */
export const MAX_ADDRESSES = 5_000;
const FEWER_ACCEPTED = `must be one of at most ${MAX_ADDRESSES} addresses of images and files in a call`;
/** Hosts beside the contents of one call: each is judged once, which takes microseconds, and no page names as many. */
const MAX_HOSTS = 50_000;
const FEWER_HOSTS_ACCEPTED = `must be at one of at most ${MAX_HOSTS} hosts of images and files in a call`;
const INLINE = /^data:/i;

/** Those of one call. */
export class MediaAddresses {
  readonly #hosts: PrivateHosts;
  /** Those that were found to be, beside the contents. */
  readonly #outside = new Set<string>();
  #elsewhere = 0;

  constructor(hosts: PrivateHosts = NO_PRIVATE_HOSTS) {
    this.#hosts = hosts;
  }

  /**
   * Whether it may name a picture, a sound or a file: who is handed one may stand where its neighbours trust it. Blanks
   * and line breaks around it mean nothing to those who read it.
   */
  take(written: string): boolean {
    const url = written.trim();
    if (INLINE.test(url)) return true;
    // More tabs than are looked at may hide that the letters before them begin an address.
    if (isBareBase64(url.slice(0, MAX_ADDRESS_CHARACTERS)) && !beginsWithScheme(url)) return true;
    return ++this.#elsewhere <= MAX_ADDRESSES && mayBeHandedOn(url, this.#hosts);
  }

  /**
   * Whether it names a host inside, or one that cannot be read, where nobody here knows what it is for. All else is as it
   * was, and does not count.
   */
  isInside(written: string): boolean {
    return hostsNamedIn(written).some((host) => !this.#isOutside(host));
  }

  #isOutside(host: string): boolean {
    if (this.#outside.has(host)) return true;
    if (this.#outside.size >= MAX_HOSTS || !mayBeHandedOn(`http://${host}/`, this.#hosts)) return false;
    this.#outside.add(host);
    return true;
  }

  /** What the one that was not taken had to be. */
  get accepts(): string {
    if (this.#outside.size >= MAX_HOSTS) return FEWER_HOSTS_ACCEPTED;
    return this.#elsewhere > MAX_ADDRESSES ? FEWER_ACCEPTED : ADDRESS_ACCEPTS;
  }
}
