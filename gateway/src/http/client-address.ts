import { BlockList, isIP } from "node:net";

const UNKNOWN = "unknown";
/** Headers that proxies add beside or instead of X-Forwarded-For; a local client has no reason to send them. */
const RELAYED = [
  "forwarded",
  "x-real-ip",
  "via",
  "x-forwarded-host",
  "x-forwarded-proto",
  "cf-connecting-ip",
];

export type ClientAddress = {
  /** The client's address, as far as it can be trusted. */
  of(peerAddress: string | null, headers: Headers): string;
  /** True only for a client on this machine: a proxy's own address never counts as its client's. */
  isLoopback(peerAddress: string | null, headers: Headers): boolean;
};

/** How far a chain was followed. `isRead` is false if a hop is not an address, so the client is unknown. */
type Followed = { readonly client: string; readonly isRead: boolean };

/** An address with the client's port, as some proxies write it; IPv6 is then in brackets. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/**
 * X-Forwarded-For is trusted only as far as trusted proxies wrote it: reading from the right, the first address that
 * is not a trusted proxy is the client's. Anything to the left of it can be forged.
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
    // Bounded by the 16 KB that the runtime allows for all headers.
    for (const hop of headers.get("x-forwarded-for")?.split(",").reverse() ?? []) {
      const address = hopAddress(hop.trim());
      // The request then counts as coming from the proxy that wrote this: accepting other text would let clients
      // choose their own identity.
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
      // Behind a proxy that is not declared, or that uses headers we do not read, every client would look local.
      const isSaid = headers.has("x-forwarded-for");
      const isRelayed = isSaid || RELAYED.some((name) => headers.has(name));
      if (peer === null || (isRelayed && !(isSaid && isTrusted(peer)))) return false;
      const { client, isRead } = follow(peerAddress, headers);
      return isRead && (client === "::1" || client.startsWith("127."));
    },
  };
}

/** The address in one hop, with or without a port; null if it is not an address. */
function hopAddress(text: string): string | null {
  const [, bare, bracketed] = WITH_PORT.exec(text) ?? [];
  return plainAddress(bare ?? bracketed ?? text);
}

/** Unwraps an IPv4 address from its IPv6 form; null if the text is not an address. */
function plainAddress(text: string): string | null {
  const address = text.startsWith("::ffff:") && text.includes(".") ? text.slice("::ffff:".length) : text;
  return isIP(address) === 0 ? null : address;
}
