import { BlockList, isIP } from "node:net";

/** Hops of a forwarded chain that are looked at; proxies of one service are never this many. */
const MAX_HOPS = 16;
const UNKNOWN = "unknown";
/** What proxies add beside X-Forwarded-For or in its place; a client on this machine has no reason to. */
const RELAYED = [
  "forwarded",
  "x-real-ip",
  "via",
  "x-forwarded-host",
  "x-forwarded-proto",
  "cf-connecting-ip",
];

export type ClientAddress = {
  /** The address of whoever made the request, as far as it can be believed. */
  of(peerAddress: string | null, headers: Headers): string;
  /** True only for a client on this machine: a proxy's own address never counts as its client's. */
  isLoopback(peerAddress: string | null, headers: Headers): boolean;
};

/** How far a chain led; where a hop of it is no address, whoever stands behind the last proxy is not known. */
type Followed = { readonly client: string; readonly isRead: boolean };

/** An address with the port that its client called from, as some proxies write it; IPv6 then stands in brackets. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/**
 * X-Forwarded-For is believed only as far as trusted proxies wrote it: from the right, the first
 * address that is not one of theirs is the client's. Whatever stands left of it anybody can invent.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const network of trustedProxies) {
    const [address = "", bits = ""] = network.split("/");
    trusted.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  function follow(peerAddress: string | null, headers: Headers): Followed {
    let client = plainAddress(peerAddress ?? "") ?? UNKNOWN;
    if (trustedProxies.length === 0 || client === UNKNOWN || !isTrusted(client))
      return { client, isRead: true };
    const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
    for (const hop of forwarded.slice(-MAX_HOPS).reverse()) {
      const address = hopAddress(hop.trim());
      // Whoever it was counts as the proxy that wrote it: to believe any other text would let callers invent their own.
      if (address === null) return { client, isRead: false };
      client = address;
      if (!isTrusted(client)) break;
    }
    return { client, isRead: true };
  }

  return {
    of: (peerAddress, headers) => follow(peerAddress, headers).client,
    isLoopback(peerAddress, headers) {
      const peer = plainAddress(peerAddress ?? "");
      // Behind a proxy that nobody declared, or whose word is one that we do not read, everybody would look local.
      const isSaid = headers.has("x-forwarded-for");
      const isRelayed = isSaid || RELAYED.some((name) => headers.has(name));
      if (peer === null || (isRelayed && !(isSaid && isTrusted(peer)))) return false;
      const { client, isRead } = follow(peerAddress, headers);
      return isRead && (client === "::1" || client.startsWith("127."));
    },
  };
}

/** What a proxy wrote of whom it heard; null for what is no address. */
function hopAddress(text: string): string | null {
  const [, bare, bracketed] = WITH_PORT.exec(text) ?? [];
  return plainAddress(bare ?? bracketed ?? text);
}

/** Without the IPv6 spelling of an IPv4 address; null for what is no address. */
function plainAddress(text: string): string | null {
  const address = text.startsWith("::ffff:") && text.includes(".") ? text.slice("::ffff:".length) : text;
  return isIP(address) === 0 ? null : address;
}
