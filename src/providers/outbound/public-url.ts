import { isIP } from "node:net";
import { UnsafeAddress } from "./public-failure.ts";

/** An address that may be gone to as far as its spelling says; what its name stands for is looked at later. */
export type PublicUrl = {
  readonly url: URL;
  /** As TLS and DNS want it: without brackets and without the dot at its end. */
  readonly hostname: string;
  /** The operator named this host: any address, port and http are right. */
  readonly isAllowed: boolean;
};

/** Links that are signed are long; no real one is longer. */
export const MAX_URL_CHARACTERS = 8_192;
/** Names of DNS, with the underscore that some buckets have; anything else is a trick on some parser. */
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

export type UrlRules = {
  /** Each `host` or `host:port` as it stands in an address, in lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Ours: a call that calls us again could go in circles. */
  readonly ownHosts: ReadonlySet<string>;
};

/** The parser leaves out the scheme's own port; somebody may have written it down all the same. */
function hostWithPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
}

/**
 * The standard's parser has already turned decimal, hex, octal, short and full-width spellings into the one
 * form that is connected to, so only that form is judged.
 */
export function checkUrl(written: string, rules: UrlRules): PublicUrl {
  const read = readUrl(written, rules.allowedHosts);
  const { url, hostname, isAllowed } = read;
  if (url.protocol !== "https:" && !(isAllowed && url.protocol === "http:")) {
    throw new UnsafeAddress(`scheme ${url.protocol.slice(0, 20)}`);
  }
  if (url.port !== "" && !isAllowed) throw new UnsafeAddress(`port ${url.port}`);
  if (rules.ownHosts.has(hostname) && !isAllowed) throw new UnsafeAddress("our own address");
  return read;
}

/** Of any scheme and port, as long as every parser finds the same host in it. */
export function readUrl(written: string, allowedHosts: UrlRules["allowedHosts"]): PublicUrl {
  const url = written.length <= MAX_URL_CHARACTERS ? URL.parse(written) : null;
  if (url === null) throw new UnsafeAddress("not an address");
  if (url.username !== "" || url.password !== "") throw new UnsafeAddress("an address with a user");
  const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(hostname) === 0 && !NAME.test(hostname)) throw new UnsafeAddress("not a name of a host");
  const isAllowed = allowedHosts.has(url.host) || allowedHosts.has(hostWithPort(url));
  return { url, hostname, isAllowed };
}
