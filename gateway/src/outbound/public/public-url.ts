import { isIP } from "node:net";
import { UnsafeAddress } from "./public-failure.ts";

/** A URL that we may connect to as far as its spelling shows; the addresses of its name are checked later. */
export type PublicUrl = {
  readonly url: URL;
  /** As TLS and DNS need it: without brackets and without a trailing dot. */
  readonly hostname: string;
  /** The operator named this host: any address, any port and http are allowed. */
  readonly isAllowed: boolean;
};

/** Signed links are long, but no real one is longer. */
export const MAX_URL_CHARACTERS = 8_192;
/** DNS names, plus the underscore that some buckets have; anything else is an attempt to trick a parser. */
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

export type UrlRules = {
  /** Each `host` or `host:port` as in a URL, in lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Our own hosts: a call that reaches us again could loop. */
  readonly ownHosts: ReadonlySet<string>;
};

/** The parser drops the scheme's default port, but the operator may have written it. */
function hostWithPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "http:" ? "80" : "443")}`;
}

/**
 * The standard parser has already normalized decimal, hex, octal, short and full-width spellings to the one form that
 * is connected to, so only that form is checked.
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

/** Accepts any scheme and port, as long as every parser finds the same host. */
export function readUrl(written: string, allowedHosts: UrlRules["allowedHosts"]): PublicUrl {
  const url = written.length <= MAX_URL_CHARACTERS ? URL.parse(written) : null;
  if (url === null) throw new UnsafeAddress("not an address");
  if (url.username !== "" || url.password !== "") throw new UnsafeAddress("an address with a user");
  const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(hostname) === 0 && !NAME.test(hostname)) throw new UnsafeAddress("not a name of a host");
  const isAllowed = allowedHosts.has(url.host) || allowedHosts.has(hostWithPort(url));
  return { url, hostname, isAllowed };
}
