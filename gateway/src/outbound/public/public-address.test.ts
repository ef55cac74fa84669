import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isPublicAddress } from "./public-address.ts";

describe("refused", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["loopback", "127.0.0.1"],
    ["loopback, far end", "127.255.255.254"],
    ["private", "10.1.2.3"],
    ["private", "172.16.0.1"],
    ["private, far end", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["link-local", "169.254.0.1"],
    ["metadata", "169.254.169.254"],
    ["metadata of a cloud", "100.100.100.200"],
    ["metadata of a cloud", "168.63.129.16"],
    ["metadata of a cloud", "192.0.0.192"],
    ["shared by a carrier", "100.64.0.1"],
    ["protocols", "192.0.0.8"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.7"],
    ["documentation", "203.0.113.9"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarks", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped public", "::ffff:8.8.8.8"],
    ["compatible", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::10.0.0.1"],
    ["discard", "100::1"],
    ["unique local", "fc00::1"],
    ["metadata of a cloud", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["Teredo", "2001:0:53aa:64c::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["segment routing", "5f00::1"],
    ["not an address", "example.com"],
    ["not an address", ""],
    ["not an address", "127.1"],
  ])("%s: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2001:200::1",
  "2a00:1450:4001:82f::200e",
  "2003::1",
])("a public address is accepted: %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

/** Written again in another way, so that a mistake in the table is not repeated here. */
function isPublicByBytes([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127;
  if (a === 169) return b !== 254;
  if (a === 172) return b < 16 || b > 31;
  if (a === 168) return !(b === 63 && c === 129 && d === 16);
  if (a === 203) return !(b === 0 && c === 113);
  if (a === 198) return !(b === 18 || b === 19 || (b === 51 && c === 100));
  if (a !== 192) return true;
  if (b === 168 || (b === 0 && (c === 0 || c === 2))) return false;
  return !(
    (b === 88 && c === 99) ||
    (b === 31 && c === 196) ||
    (b === 52 && c === 193) ||
    (b === 175 && c === 48)
  );
}

const first = fc.oneof(
  fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224),
  fc.integer({ min: 0, max: 255 }),
);
const later = fc.oneof(
  fc.constantFrom(0, 2, 15, 16, 18, 31, 32, 48, 51, 52, 63, 64, 88, 99, 100, 113, 127, 128, 168, 193, 254),
  fc.integer({ min: 0, max: 255 }),
);

test("IPv4 addresses are judged as by a second, independent implementation", () => {
  fc.assert(
    fc.property(first, later, later, later, (...bytes) => {
      expect(isPublicAddress(bytes.join("."))).toBe(isPublicByBytes(bytes));
    }),
    { numRuns: 3_000 },
  );
});

test("an IPv6 address is judged the same in every spelling", () => {
  const group = fc.oneof(
    fc.constantFrom(0, 1, 0x2001, 0x2002, 0xfe80, 0xffff),
    fc.integer({ min: 0, max: 0xffff }),
  );
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const full = groups.map((each) => each.toString(16).padStart(4, "0")).join(":");
      const short = new URL(`https://[${full}]/`).hostname.slice(1, -1);
      const judged = isPublicAddress(full);
      expect(isPublicAddress(short)).toBe(judged);
      expect(isPublicAddress(full.toUpperCase())).toBe(judged);
      if (judged) expect((groups[0] ?? 0) >> 13).toBe(1);
    }),
    { numRuns: 2_000 },
  );
});
