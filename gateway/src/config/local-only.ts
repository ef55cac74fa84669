import { isLoopback } from "../kit/index.ts";
import type { EnvReader } from "./env.ts";

export type Address = {
  readonly host: string;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
};

/**
 * True if only this machine can reach the gateway. A server on loopback may be behind a proxy, which shows in
 * TRUSTED_PROXIES or in a different public URL.
 */
export function isLocalAddress({ host, publicUrl, trustedProxies }: Address): boolean {
  const publicHost = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, "$1");
  const isHere = isLoopback(publicHost) || publicHost.endsWith(".localhost");
  return isLoopback(host) && isHere && trustedProxies.length === 0;
}

/**
 * For features that give credits away, so strangers must not reach them: on by default if only this machine can reach
 * the gateway, else only on request, never in production.
 */
export function localOnly(
  reader: EnvReader,
  name: string,
  { production, address }: { readonly production: boolean; readonly address: Address },
): boolean {
  const given = reader.flag(name);
  if (production && given) reader.wrong(name, "must not be true in production");
  return !production && (given ?? isLocalAddress(address));
}
