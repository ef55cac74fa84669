import { isIP } from "node:net";

/** An IPv6 subscriber owns a whole /64 and could walk through it; an IPv4 address stands for itself. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || address.includes("%")) return address;
  // The URL parser writes every spelling of an address the same way, dotted tails included.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = canonical.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
