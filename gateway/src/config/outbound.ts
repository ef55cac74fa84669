import type { EnvReader } from "./env.ts";

/** How calls to providers leave this machine. */
export type OutboundWay = {
  /** Each as host and port; null if no call goes through a proxy. */
  readonly proxies: {
    readonly http: string | null;
    readonly https: string | null;
    /** True if some hosts are reached without a proxy; only the runtime knows which. */
    readonly hasExceptions: boolean;
  } | null;
  readonly byRuntime: boolean;
};

const TRUST = [
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_TLS_REJECT_UNAUTHORIZED"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** Variables that the runtime's own HTTP client respects: if any is set, that client is used. */
export function readOutboundWay(reader: EnvReader): OutboundWay {
  const http = readProxy(reader, ["http_proxy", "HTTP_PROXY"]);
  const https = readProxy(reader, ["https_proxy", "HTTPS_PROXY"]);
  const hasExceptions = ["no_proxy", "NO_PROXY"].filter((name) => reader.text(name) !== null).length > 0;
  const proxies = http === null && https === null ? null : { http, https, hasExceptions };
  // No early exit, so that all names are recorded as read.
  const hasOwnTrust = TRUST.filter((name) => reader.text(name) !== null).length > 0;
  return { proxies, byRuntime: proxies !== null || hasOwnTrust };
}

/** In the order in which the runtime looks for them; all are validated, since both may be meant. */
function readProxy(reader: EnvReader, names: readonly string[]): string | null {
  let proxy: string | null = null;
  for (const name of names) {
    const given = reader.text(name);
    if (given === null) continue;
    const host = proxyHost(given);
    // Never shown: it may contain a password.
    if (host === null)
      reader.wrong(name, "must be an http or https address, such as http://proxy.internal:3128");
    proxy ??= host;
  }
  return proxy;
}

/** The runtime also accepts `proxy:3128`, and supports no other protocol. It ignores path and query. */
function proxyHost(given: string): string | null {
  const bare = given.replace(/^\/\//, "");
  const url = URL.parse(/^[^\s/@]+:\d+(?:[/?]|$)/.test(bare) ? `http://${bare}` : given);
  return url && /^https?:$/.test(url.protocol) && !/\s/.test(given) ? url.host : null;
}
