import { describe, expect, test } from "bun:test";
import { createClientAddress } from "./client-address.ts";

const forwarded = (value?: string) => new Headers(value === undefined ? {} : { "x-forwarded-for": value });

describe("the client's address", () => {
  const behindProxies = createClientAddress(["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"]);
  const direct = createClientAddress([]);

  test.each([
    ["203.0.113.7", undefined, "203.0.113.7"],
    ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
    // A header from an untrusted address is ignored.
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["fd00::1", "2001:db8::5", "2001:db8::5"],
    // Proxies append on the right; anything further left can be forged.
    ["10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.9", "198.51.100.1"],
    ["10.0.0.1", "garbage, 10.0.0.9", "10.0.0.9"],
    ["10.0.0.1", "198.51.100.1, garbage", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", undefined, "10.0.0.1"],
  ])("for the peer %s with X-Forwarded-For %p is %s", (peer, header, expected) => {
    expect(behindProxies.of(peer, forwarded(header))).toBe(expected);
  });

  test.each([
    ["10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["10.0.0.1", "203.0.113.9:4711, 10.0.0.9:80", "203.0.113.9"],
    ["10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
    ["10.0.0.1", "[::ffff:203.0.113.9]:443", "203.0.113.9"],
    ["10.0.0.1", "203.0.113.9:http", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.999:4711", "10.0.0.1"],
    ["203.0.113.7", "198.51.100.1:4711", "203.0.113.7"],
  ])(
    "for the peer %s with X-Forwarded-For %p, in another proxy's notation, is %s",
    (peer, header, expected) => {
      expect(behindProxies.of(peer, forwarded(header))).toBe(expected);
    },
  );

  test("is unknown without a peer", () => {
    expect(direct.of(null, forwarded("198.51.100.1"))).toBe("unknown");
  });

  test("is loopback only for a client on this machine", () => {
    expect(direct.isLoopback("127.0.0.1", forwarded())).toBe(true);
    expect(direct.isLoopback("::1", forwarded())).toBe(true);
    expect(direct.isLoopback("::ffff:127.0.0.1", forwarded())).toBe(true);
    expect(direct.isLoopback("203.0.113.7", forwarded())).toBe(false);
    expect(direct.isLoopback(null, forwarded())).toBe(false);
    // An undeclared proxy on this machine speaks for everybody.
    expect(direct.isLoopback("127.0.0.1", forwarded("203.0.113.7"))).toBe(false);
    expect(direct.isLoopback("127.0.0.1", forwarded("127.0.0.1"))).toBe(false);
    expect(behindProxies.isLoopback("127.0.0.1", forwarded("203.0.113.7"))).toBe(false);
    expect(behindProxies.isLoopback("203.0.113.7", forwarded("127.0.0.1"))).toBe(false);
  });

  test.each(["203.0.113.7:4711", "[2001:db8::7]:443", "unknown", "unix:", "", "garbage, 127.0.0.1"])(
    "is not loopback if a proxy on this machine reports its client as %p",
    (value) => {
      expect(behindProxies.isLoopback("127.0.0.1", forwarded(value))).toBe(false);
    },
  );

  test("is loopback if a proxy on this machine reports a loopback client, with or without a port", () => {
    for (const value of ["127.0.0.1", "127.0.0.1:4711", "[::1]:4711"])
      expect(behindProxies.isLoopback("127.0.0.1", forwarded(value))).toBe(true);
  });

  test.each(["x-real-ip", "forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "cf-connecting-ip"])(
    "is not loopback if %s alone shows that there is a proxy",
    (name) => {
      const headers = new Headers({ [name]: "127.0.0.1" });
      expect(direct.isLoopback("127.0.0.1", headers)).toBe(false);
      expect(behindProxies.isLoopback("127.0.0.1", headers)).toBe(false);
    },
  );
});
