import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";
import { UnsafeAddress } from "./public-failure.ts";
import { readUrl, type UrlRules } from "./public-url.ts";

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
const STORE = "generativelanguage.googleapis.com";

/**
 * Whether a provider may be handed this address of a client's, to fetch it from where the provider stands: a server of
 * the operator's own stands inside. What a name stands for is only known there, so this judges the spelling alone; http
 * and other ports are right, since nobody here goes to them.
 */
export function mayBeHandedOn(written: string, privateHosts: UrlRules["allowedHosts"]): boolean {
  if (!PLAIN.test(written)) return false;
  try {
    const { hostname, isAllowed } = readUrl(written, privateHosts);
    return isAllowed || (isIP(hostname) === 0 ? isOutsideName(hostname) : isPublicAddress(hostname));
  } catch (error) {
    if (error instanceof UnsafeAddress) return false;
    throw error;
  }
}

/** Names without a dot are those of neighbours. */
function isOutsideName(hostname: string): boolean {
  const dot = hostname.lastIndexOf(".");
  return dot > 0 && !INSIDE.has(hostname.slice(dot + 1)) && hostname !== STORE;
}
