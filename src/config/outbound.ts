import type { EnvReader } from "./env.ts";

/** How calls to providers leave the house. */
export type OutboundWay = {
  /** By host and port; null where no call goes through one. */
  readonly proxies: {
    readonly http: string | null;
    readonly https: string | null;
    /** Some hosts are reached without them; which, the runtime knows. */
    readonly hasExceptions: boolean;
  } | null;
  readonly byRuntime: boolean;
};

const TRUST = [
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_TLS_REJECT_UNAUTHORIZED"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** Variables that the runtime's own client heeds: who has set one is served by that client. */
export function readOutboundWay(reader: EnvReader): OutboundWay {
  const http = readProxy(reader, ["http_proxy", "HTTP_PROXY"]);
  const https = readProxy(reader, ["https_proxy", "HTTPS_PROXY"]);
  const hasExceptions = ["no_proxy", "NO_PROXY"].filter((name) => reader.text(name) !== null).length > 0;
  const proxies = http === null && https === null ? null : { http, https, hasExceptions };
  // All are asked for, so that all are known.
  const hasOwnTrust = TRUST.filter((name) => reader.text(name) !== null).length > 0;
  return { proxies, byRuntime: proxies !== null || hasOwnTrust };
}

/** In the order in which the runtime looks for them; all are checked, since both may be meant. */
function readProxy(reader: EnvReader, names: readonly string[]): string | null {
  let proxy: string | null = null;
  for (const name of names) {
    const given = reader.text(name);
    if (given === null) continue;
    const host = proxyHost(given);
    // Never shown: it may hold a password.
    if (host === null)
      reader.wrong(name, "must be an http or https address, such as http://proxy.internal:3128");
    proxy ??= host;
  }
  return proxy;
}

/** The runtime takes `proxy:3128` too, and knows no other protocol. It heeds neither path nor query. */
function proxyHost(given: string): string | null {
  const bare = given.replace(/^\/\//, "");
  const url = URL.parse(/^[^\s/@]+:\d+(?:[/?]|$)/.test(bare) ? `http://${bare}` : given);
  return url && /^https?:$/.test(url.protocol) && !/\s/.test(given) ? url.host : null;
}
