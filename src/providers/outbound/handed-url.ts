import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";
import { UnsafeAddress } from "./public-failure.ts";
import { MAX_URL_CHARACTERS, readUrl, type UrlRules } from "./public-url.ts";

/** Parsers differ in what they make of a backslash, and so in which host they find; behind the path it is a letter. */
const PLAIN = /^https?:\/\/[^/\\][^\\?#]*(?:[?#]|$)/i;
/** Ends of names that stand for nothing on the open internet, and for much inside. */
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

/** Where a vendor keeps what was uploaded by the operator's key: it takes such an address for the file's name. */
const STORE = /(?:^|[.-])generativelanguage\b/;
const STORE_END = ".googleapis.com";

/** As nearly all are written: every parser finds this very host in it. */
const COMMON = /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}\//;
const MAX_NAME_CHARACTERS = 253;
/** A name, its port and what stands around it; what is longer takes a parser long and is no name in the end. */
const MAX_HOST_CHARACTERS = 300;
/** All that a host is found in. What follows would be read letter by letter for nothing. */
const HOST = new RegExp(`^https?://[^/?#]{1,${MAX_HOST_CHARACTERS}}(?=[/?#]|$)`, "i");

/**
 * Whether a provider may be handed this address of a client's, to fetch it from where the provider stands: a server of
 * the operator's own stands inside. What a name stands for is only known there, so this judges the spelling alone; http
 * and other ports are right, since nobody here goes to them.
 */
export function mayBeHandedOn(written: string, privateHosts: UrlRules["allowedHosts"]): boolean {
  if (isCommon(written)) return true;
  const start = written.length <= MAX_URL_CHARACTERS && PLAIN.test(written) ? HOST.exec(written) : null;
  if (start === null) return false;
  try {
    // With a path, as it was written: a parser drops blanks and the like at an end, and only there.
    const { hostname, isAllowed } = readUrl(`${start[0]}/`, privateHosts);
    return isAllowed || (isIP(hostname) === 0 ? isOutsideName(hostname) : isPublicAddress(hostname));
  } catch (error) {
    if (error instanceof UnsafeAddress) return false;
    throw error;
  }
}

/** Without a parser, since a request can have very many. */
function isCommon(written: string): boolean {
  if (written.length > MAX_URL_CHARACTERS || written.includes("\\")) return false;
  if (!COMMON.test(written)) return false;
  const start = written.indexOf("/") + 2;
  const hostname = written.slice(start, written.indexOf("/", start));
  return hostname.length <= MAX_NAME_CHARACTERS && isOutsideName(hostname);
}

/** Names without a dot are those of neighbours. */
function isOutsideName(hostname: string): boolean {
  const dot = hostname.lastIndexOf(".");
  if (dot <= 0 || INSIDE.has(hostname.slice(dot + 1))) return false;
  return !(hostname.endsWith(STORE_END) && STORE.test(hostname));
}
