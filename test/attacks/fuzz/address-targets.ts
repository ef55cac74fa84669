import assert from "node:assert/strict";
import { BlockList, isIP, isIPv4 } from "node:net";
import { UnsafeAddress } from "../../../gateway/src/outbound/index.ts";
import { isPublicAddress } from "../../../gateway/src/outbound/public/public-address.ts";
import { checkUrl } from "../../../gateway/src/outbound/public/public-url.ts";
import type { Random } from "../../simulation/random.ts";
import { bytesOf, type ParserTarget, text } from "./parser-target.ts";

/** An independent implementation to compare with: Node's own `BlockList`. */
const INSIDE = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, bits] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const),
  ...([
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
]) {
  INSIDE.ipv4.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ...([
    ["::", 8],
    ["64:ff9b::", 96],
    ["64:ff9b:1::", 48],
    ["100::", 64],
    ["fc00::", 7],
    ["fe80::", 10],
  ] as const),
  ...([
    ["ff00::", 8],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["2001::", 32],
  ] as const),
]) {
  INSIDE.ipv6.addSubnet(network, bits, "ipv6");
}

function isInside(address: string): boolean {
  const kind = isIPv4(address) ? "ipv4" : "ipv6";
  return INSIDE[kind].check(address, kind);
}

const RULES = { allowedHosts: new Set(["media.internal:8080"]), ownHosts: new Set(["ai.example.com"]) };

/** One address, in one of the many ways to write it. */
function spelledAddress(random: Random): string {
  const inside = [127, 10, 169, 172, 192, 0, 100, 224, 255, 8];
  const parts = [random.pick(inside), ...[0, 0, 0].map(() => random.pick([0, 1, 16, 64, 168, 254, 255]))];
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const hex = (part: number) => part.toString(16);
  const pair = (at: number) => hex((parts[at] ?? 0) * 256 + (parts[at + 1] ?? 0));
  return random.pick([
    parts.join("."),
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0x${hex(part)}`).join("."),
    parts.map((part) => `0${part.toString(8)}`).join("."),
    `${parts[0]}.${(parts[1] ?? 0) * 65_536 + (parts[2] ?? 0) * 256 + (parts[3] ?? 0)}`,
    `[::ffff:${parts.join(".")}]`,
    `[::${pair(0)}:${pair(2)}]`,
    `[64:ff9b::${pair(0)}:${pair(2)}]`,
    `[2002:${pair(0)}:${pair(2)}::1]`,
    `[fe80::${pair(0)}%25eth0]`,
    [...parts.join(".")].map((c) => (c === "." ? "。" : String.fromCodePoint(0xff10 + Number(c)))).join(""),
    `${parts.join(".")}.`,
    "localhost",
    "media.internal",
    "ai.example.com",
  ]);
}

const url: ParserTarget = {
  name: "URL guard",
  seeds: bytesOf(
    "https://files.example.com/a.png",
    "https://media.internal:8080/x",
    "https://[2606:4700::1]/y",
  ),
  make(random) {
    const scheme = random.pick([
      "https:",
      "https:",
      "https:",
      "http:",
      "HTTPS:",
      "file:",
      "https",
      "\thttps:",
    ]);
    const slashes = random.pick(["//", "//", "//", "/", "\\\\", "///", ""]);
    const user = random.pick(["", "", "", "a@", "a:b@", "a%40b@", "@"]);
    const port = random.pick(["", "", "", ":443", ":80", ":8080", ":0", ":99999"]);
    const tail = random.pick(["", "/", "/x.png", "?a", "#b", "\\x", "/../..", "/%00"]);
    return Buffer.from(`${scheme}${slashes}${user}${spelledAddress(random)}${port}${tail}`);
  },
  check(bytes) {
    let checked: ReturnType<typeof checkUrl>;
    try {
      checked = checkUrl(Buffer.from(bytes).toString(), RULES);
    } catch (error) {
      if (error instanceof UnsafeAddress) return;
      throw error;
    }
    const { url: found, hostname, isAllowed } = checked;
    assert.equal(found.username + found.password, "");
    if (isAllowed) return;
    assert.deepEqual([found.protocol, found.port], ["https:", ""]);
    assert.notEqual(hostname, "ai.example.com");
    if (isIP(hostname) !== 0 && isInside(hostname)) assert.equal(isPublicAddress(hostname), false);
    else if (isIP(hostname) === 0) assert.match(hostname, /^[a-z0-9_.-]+$/);
  },
};

const address: ParserTarget = {
  name: "addresses",
  seeds: bytesOf("8.8.8.8", "127.0.0.1", "2606:4700::1", "::ffff:10.0.0.1", "fe80::1%eth0", "2001:db8::1"),
  make: (random) => Buffer.from(spelledAddress(random).replaceAll(/[[\]]/g, "")),
  check(bytes) {
    const written = text(bytes);
    if (!isPublicAddress(written)) return;
    assert.notEqual(isIP(written), 0);
    assert.equal(isInside(written), false);
  },
};

export const ADDRESS_TARGETS: readonly ParserTarget[] = [url, address];
