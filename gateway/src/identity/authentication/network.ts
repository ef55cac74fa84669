import { isIP } from "node:net";

/** Longer than any address; longer text is invalid and cut, so that it cannot fill the memory. */
const MAX_ADDRESS_CHARS = 64;

/**
 * The network that an address belongs to: an IPv4 address stands for itself, an IPv6 address for its /64, since one
 * subscriber owns the whole of it and could otherwise cycle through it. Anything else stands for itself.
 */
export function networkOf(address: string): string {
  const text = address.slice(0, MAX_ADDRESS_CHARS).replace(/%.*/, "").toLowerCase();
  if (isIP(text) !== 6) return text;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  // Only the first half is used, so a dotted tail is replaced by two groups of the same width.
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
