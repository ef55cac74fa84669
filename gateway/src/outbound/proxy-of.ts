/** Host and port of the proxy for each protocol; the passwords are known to the runtime only. */
export type Proxies = {
  readonly http: string | null;
  readonly https: string | null;
  /** `NO_PROXY` exempts some hosts. */
  readonly hasExceptions: boolean;
};

/**
 * Describes the proxy for this URL; null if there is none. Does not decide whether `NO_PROXY` exempts it: the runtime
 * has its own rules, and a copy of them would sooner or later disagree.
 */
export function proxyOf(proxies: Proxies | null, url: URL): string | null {
  const proxy = url.protocol === "https:" ? proxies?.https : proxies?.http;
  if (!proxy) return null;
  return proxies?.hasExceptions ? `${proxy} (unless NO_PROXY excepts it)` : proxy;
}
