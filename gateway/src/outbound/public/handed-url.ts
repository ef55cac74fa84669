import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";
import { UnsafeAddress } from "./public-failure.ts";
import { MAX_URL_CHARACTERS, readUrl, type UrlRules } from "./public-url.ts";

/** URL parsers disagree about backslashes, and so about the host; in a query or fragment they are harmless. */
const PLAIN = /^https?:\/\/[^/\\][^\\?#]*(?:[?#]|$)/i;
/** Top-level names that mean nothing on the public internet, but much on a private network. */
const INSIDE: ReadonlySet<string> = new Set([
  "arpa",
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "private",
  "svc",
]);

/** Where Google keeps files that were uploaded with the operator's key: it takes such a URL for the file's name. */
const STORE = /(?:^|[.-])generativelanguage\b/;
const STORE_END = ".googleapis.com";

/** How nearly all URLs are written: every parser finds the same host in these. */
const COMMON = /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}\//;
const MAX_NAME_CHARACTERS = 253;
/** A host name, its port and whatever surrounds them. Anything longer is slow to parse and no valid name in the end. */
const MAX_HOST_CHARACTERS = 300;
/** The part of a URL that determines its host. Parsing the rest, character by character, would be wasted. */
const HOST = new RegExp(`^https?://[^/?#]{1,${MAX_HOST_CHARACTERS}}(?=[/?#]|$)`, "i");

/**
 * Whether a provider may be given this URL from a client, to fetch it from the provider's network: a server that the
 * operator runs may be inside a private one. Only the provider can resolve the name, so this judges the spelling alone.
 * http and other ports are fine, since we do not connect to them.
 */
export function mayBeHandedOn(written: string, privateHosts: UrlRules["allowedHosts"]): boolean {
  if (isCommon(written)) return true;
  const start = written.length <= MAX_URL_CHARACTERS && PLAIN.test(written) ? HOST.exec(written) : null;
  if (start === null) return false;
  try {
    // The slash keeps blanks at the end of the host, which a parser would strip at the end of its input.
    const { hostname, isAllowed } = readUrl(`${start[0]}/`, privateHosts);
    return isAllowed || (isIP(hostname) === 0 ? isOutsideName(hostname) : isPublicAddress(hostname));
  } catch (error) {
    if (error instanceof UnsafeAddress) return false;
    throw error;
  }
}

/** Avoids the URL parser, since a request can contain very many URLs. */
function isCommon(written: string): boolean {
  if (written.length > MAX_URL_CHARACTERS || written.includes("\\")) return false;
  if (!COMMON.test(written)) return false;
  const start = written.indexOf("/") + 2;
  const hostname = written.slice(start, written.indexOf("/", start));
  return hostname.length <= MAX_NAME_CHARACTERS && isOutsideName(hostname);
}

/** A name without a dot belongs to the local network. */
function isOutsideName(hostname: string): boolean {
  const dot = hostname.lastIndexOf(".");
  if (dot <= 0 || INSIDE.has(hostname.slice(dot + 1))) return false;
  return !(hostname.endsWith(STORE_END) && STORE.test(hostname));
}
