/** By which host and port calls leave, by the protocol of their address; passwords are the runtime's to know. */
export type Proxies = {
  readonly http: string | null;
  readonly https: string | null;
  /** Some hosts are reached without them, by `NO_PROXY`. */
  readonly hasExceptions: boolean;
};

/**
 * Words for the proxy on the way to this address; null where there is none. Whether the address is excepted is not
 * decided here: the runtime has rules of its own for that, and a second set of them would sooner or later say otherwise.
 */
export function proxyOf(proxies: Proxies | null, url: URL): string | null {
  const proxy = url.protocol === "https:" ? proxies?.https : proxies?.http;
  if (!proxy) return null;
  return proxies?.hasExceptions ? `${proxy} (unless NO_PROXY excepts it)` : proxy;
}
