import { isIPv4, isIPv6 } from "node:net";

/**
 * Tells addresses on the public internet from all others. Everything special-purpose in the IANA registries is refused,
 * reachable or not: no file could be fetched from there.
 */
const REFUSED_IPV4: readonly Network[] = networks([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  // Azure's internal services, at an address that looks public.
  "168.63.129.16/32",
]);

/** Does not include mapped, compatible, NAT64, local and multicast addresses. */
const GLOBAL_UNICAST = network("2000::/3");
const REFUSED_IPV6: readonly Network[] = networks([
  // IETF protocol assignments: Teredo, benchmarking, ORCHID and more.
  "2001::/23",
  "2001:db8::/32",
  // 6to4 embeds an arbitrary IPv4 address.
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
]);

type Network = { readonly first: bigint; readonly last: bigint };

/** False for anything that is not an IP address, and for one with a zone. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const number = ipv4Number(address);
    return !REFUSED_IPV4.some((refused) => isInside(number, refused));
  }
  if (!isIPv6(address) || address.includes("%")) return false;
  const number = ipv6Number(address);
  return isInside(number, GLOBAL_UNICAST) && !REFUSED_IPV6.some((refused) => isInside(number, refused));
}

function isInside(number: bigint, { first, last }: Network): boolean {
  return number >= first && number <= last;
}

function networks(written: readonly string[]): readonly Network[] {
  return written.map(network);
}

function network(written: string): Network {
  const [address = "", bits = ""] = written.split("/");
  const [first, width] = isIPv4(address) ? [ipv4Number(address), 32] : [ipv6Number(address), 128];
  return { first, last: first + (1n << BigInt(width - Number(bits))) - 1n };
}

function ipv4Number(address: string): bigint {
  return address.split(".").reduce((number, part) => number * 256n + BigInt(part), 0n);
}

/** Expects a valid address: at most one `::`, possibly an IPv4 tail. */
function ipv6Number(address: string): bigint {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const [head = "", rest] = (tail ? `${tail[1]}${ipv4Groups(tail[2] ?? "")}` : address).split("::");
  const before = groupsOf(head);
  const after = groupsOf(rest ?? "");
  const zeros = rest === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return groups.reduce((number, group) => (number << 16n) + BigInt(`0x${group}`), 0n);
}

function groupsOf(written: string): readonly string[] {
  return written === "" ? [] : written.split(":");
}

function ipv4Groups(address: string): string {
  const number = ipv4Number(address);
  return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
}
