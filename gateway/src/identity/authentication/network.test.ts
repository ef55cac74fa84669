import { expect, test } from "bun:test";
import fc from "fast-check";
import { networkOf } from "./network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ["1::ffff:192.0.2.7", "1:0:0:0::/64"],
  ["::1:2:3:4:5:6:7", "0:1:2:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("%s belongs to %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("texts too long for an address share a network if they begin alike", () => {
  const start = "x".repeat(64);
  expect(networkOf(`${start}1`)).toBe(networkOf(`${start}2`));
});

test("any text has a network of bounded length", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 300, size: "max" }), fc.ipV6(), fc.ipV4()), (address) => {
      expect(networkOf(address).length).toBeLessThanOrEqual(64);
      expect(networkOf(address)).not.toContain("NaN");
    }),
  );
});
