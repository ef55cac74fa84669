import type { EnvReader } from "./config-env.ts";

/** How calls to providers leave the house. */
export type OutboundWay = { readonly isProxied: boolean; readonly byRuntime: boolean };

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
const TRUST = [
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_TLS_REJECT_UNAUTHORIZED"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** Variables that the runtime's own client heeds: who has set one is served by that client. */
export function readOutboundWay(reader: EnvReader): OutboundWay {
  const isSet = (name: string) => reader.text(name) !== null;
  // All are asked for, so that all are known.
  const isProxied = PROXIES.filter(isSet).length > 0;
  const hasOwnTrust = TRUST.filter(isSet).length > 0;
  return { isProxied, byRuntime: isProxied || hasOwnTrust };
}
