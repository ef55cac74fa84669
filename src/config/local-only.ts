import { isLoopback } from "../kit/index.ts";
import type { EnvReader } from "./env.ts";

export type Address = {
  readonly host: string;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
};

/** Only this machine reaches it. One that listens on loopback may stand behind a proxy, which is named or has another address. */
export function isLocalAddress({ host, publicUrl, trustedProxies }: Address): boolean {
  const publicHost = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, "$1");
  const isHere = isLoopback(publicHost) || publicHost.endsWith(".localhost");
  return isLoopback(host) && isHere && trustedProxies.length === 0;
}

/** Gives credits away, so strangers must not reach it: on by itself where only this machine does, else only when asked for, never in production. */
export function localOnly(
  reader: EnvReader,
  name: string,
  { production, address }: { readonly production: boolean; readonly address: Address },
): boolean {
  const given = reader.flag(name);
  if (production && given) reader.wrong(name, "must not be true in production");
  return !production && (given ?? isLocalAddress(address));
}
