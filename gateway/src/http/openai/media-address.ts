import { mayBeHandedOn } from "../../outbound/index.ts";
import { beginsWithScheme, withoutLeading } from "./address-beginning.ts";

/** Both base64 alphabets, and white space, which decoders skip. */
const LETTERS = /^[A-Za-z0-9+/=_\s-]*$/;
/** A leading slash may also begin a path, but every JPEG begins like this in base64. */
const JPEG = /^\/9j\//;
/**
 * How MP3 and AAC frames and little-endian UTF-16 begin in base64. Only the alphabet without `-` and `_` has a slash.
 */
const FRAME = /^\/[+/][A-Za-z0-9+/=\s]{62,}$/;
/** Two slashes and a plain word: rather a host or a folder. */
const FOLDER = /^\/\/(?:[A-Z]?[a-z]+|[A-Z]+)\//;
/** Number of characters that is enough to recognize a path. */
const PATH_CHARACTERS = 64;
/**
 * In that many characters, base64 has about 26 capitals and one slash; no path has so many capitals and few slashes.
 */
const MIN_CAPITALS = 12;
const MAX_SLASHES = 8;

/** Whether a value may be base64 without a `data:` prefix. `start` is its beginning; the rest is not checked. */
function isBareBase64(start: string): boolean {
  if (!LETTERS.test(start)) return false;
  return !start.startsWith("/") || JPEG.test(start) || isFrame(start);
}

function isFrame(start: string): boolean {
  if (!FRAME.test(start) || FOLDER.test(start)) return false;
  const first = start.slice(0, PATH_CHARACTERS);
  return countOf(first, /[A-Z]/g) >= MIN_CAPITALS && countOf(first, /\//g) <= MAX_SLASHES;
}

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

/** URL parsers remove these wherever they occur. */
const LEFT_OUT = /[\t\r\n]/g;
const MAY_BEGIN = /^[h\\/]/i;
/**
 * Everything before the path, with or without a scheme. Parsers take a backslash for a slash, and any number of slashes
 * after a scheme for two.
 */
const AUTHORITY = /^(?:https?:[\\/]*|[\\/]{2,})([^\s\\/?#][^/?#]*)/i;
/** Number of characters that is enough to recognize base64 that begins with two slashes. */
const LOOKED_AT = 8_192;
const NONE: readonly string[] = [];

/**
 * The host and port that a parser finds in a text if it is a web address; two if parsers differ. Empty for everything
 * else: a path, the name of a stored object, an address with another scheme, bytes, plain text.
 */
function hostsNamedIn(written: string): readonly string[] {
  const begun = MAY_BEGIN.test(written) ? written : withoutLeading(written);
  if (!MAY_BEGIN.test(begun)) return NONE;
  const text = begun.replace(LEFT_OUT, "");
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined || isBareBase64(text.slice(0, LOOKED_AT))) return NONE;
  // To some parsers a backslash ends the host, to others it is part of the user name.
  if (!authority.includes("\\")) return [withoutUser(authority)];
  return [withoutUser(beforeBackslash(authority)), beforeBackslash(withoutUser(authority))];
}

const withoutUser = (text: string) => text.slice(text.lastIndexOf("@") + 1);
const beforeBackslash = (text: string) => text.replace(/\\.*/s, "");

/** Internal hosts that the operator has allowed, each as `host` or `host:port`. */
export type PrivateHosts = ReadonlySet<string>;

const NO_PRIVATE_HOSTS: PrivateHosts = new Set();

/** For an address that is fetched. A data URL or bare base64 contains the bytes, and may be as long as the body. */
const MAX_ADDRESS_CHARACTERS = 8_192;
const ADDRESS_ACCEPTS = `must be a public http or https address of at most ${MAX_ADDRESS_CHARACTERS} characters, or a data URL`;
/** Addresses to fetch per call. No model takes as many images, and checking an address takes time. */
export const MAX_ADDRESSES = 5_000;
const FEWER_ACCEPTED = `must be one of at most ${MAX_ADDRESSES} addresses of images and files in a call`;
/** Hosts per call outside of contents. Each is checked once, which takes microseconds; no page names as many. */
const MAX_HOSTS = 50_000;
const FEWER_HOSTS_ACCEPTED = `must be at one of at most ${MAX_HOSTS} hosts of images and files in a call`;
const INLINE = /^data:/i;

/** Checks the addresses of images, audio and files in one call, and limits their number. */
export class MediaAddresses {
  readonly #hosts: PrivateHosts;
  /** Hosts in fields outside of contents that were found to be public or allowed. */
  readonly #outside = new Set<string>();
  #elsewhere = 0;

  constructor(hosts: PrivateHosts = NO_PRIVATE_HOSTS) {
    this.#hosts = hosts;
  }

  /**
   * Whether this address of an image, audio or file may be passed on: the server that fetches it may be inside the
   * operator's network, where it is trusted. White space around it is ignored, as it is by those who read it.
   */
  take(written: string): boolean {
    const url = written.trim();
    if (INLINE.test(url)) return true;
    // The part that was checked may be the letters of a scheme and then nothing but tabs, which URL parsers remove.
    if (isBareBase64(url.slice(0, MAX_ADDRESS_CHARACTERS)) && !beginsWithScheme(url)) return true;
    return ++this.#elsewhere <= MAX_ADDRESSES && mayBeHandedOn(url, this.#hosts);
  }

  /**
   * Whether it names a host of the internal network, or one that cannot be parsed. For fields of unknown purpose:
   * anything else in them is passed on unchanged and does not count as an address.
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

  /** Error message for the address that was just refused. */
  get accepts(): string {
    if (this.#outside.size >= MAX_HOSTS) return FEWER_HOSTS_ACCEPTED;
    return this.#elsewhere > MAX_ADDRESSES ? FEWER_ACCEPTED : ADDRESS_ACCEPTS;
  }
}
