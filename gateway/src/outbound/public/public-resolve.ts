import { lookup } from "node:dns/promises";
import { isIP, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "./public-address.ts";
import { fetchFailure, UnsafeAddress } from "./public-failure.ts";
import type { PublicUrl } from "./public-url.ts";

/** All current addresses of a name; uses the system's resolver unless a test supplies another. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Most addresses tried for one file; more would only make the caller wait longer. */
const MAX_ADDRESSES = 3;

export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/**
 * The addresses to connect to, exactly those that were checked: the name is never resolved again. One bad address
 * refuses all of them, or a second attempt could reach it.
 */
export async function resolveChecked(
  { hostname, isAllowed }: PublicUrl,
  resolve: Resolve,
  ownAddresses: () => ReadonlySet<string> = addressesHere,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolved(hostname, resolve) : [hostname];
  if (addresses.length === 0) throw fetchFailure("a name without an address");
  if (!isAllowed) {
    const own = ownAddresses();
    for (const address of addresses) {
      if (!isPublicAddress(address)) throw new UnsafeAddress("an address inside");
      if (own.has(address)) throw new UnsafeAddress("an address of this machine");
    }
  }
  // Nearly every host has an IPv4 address, and many networks support nothing else.
  return [...addresses].sort((a, b) => Number(isIPv4(b)) - Number(isIPv4(a))).slice(0, MAX_ADDRESSES);
}

async function resolved(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch {
    throw fetchFailure("a name that is not known");
  }
}

/** Services on this machine may trust its own calls, even those to a public address. */
export function addressesHere(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const each of Object.values(networkInterfaces())) {
    for (const { address } of each ?? []) found.add(address);
  }
  return found;
}
