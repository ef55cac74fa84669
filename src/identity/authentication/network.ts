import { isIP } from "node:net";

/** Long enough for any address; what is longer is nobody's and shares one window. */
const MAX_ADDRESS_CHARS = 64;

/**
 * Whom an address belongs to: an IPv4 address itself, an IPv6 address its /64, which one subscriber
 * owns and could otherwise walk through. Anything else stands for itself.
 */
export function networkOf(address: string): string {
  const text = address.slice(0, MAX_ADDRESS_CHARS).replace(/%.*/, "").toLowerCase();
  if (isIP(text) !== 6) return text;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  // Only the first half counts: a dotted tail is as wide as two groups.
  const [head = "", tail] = text.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0").split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  const half = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${half.join(":")}::/64`;
}
