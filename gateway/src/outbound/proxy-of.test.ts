import { expect, test } from "bun:test";
import { type Proxies, proxyOf } from "./proxy-of.ts";

const PROXIES: Proxies = { http: "plain:3128", https: "sealed:3128", hasExceptions: false };
const through = (url: string, proxies: Partial<Proxies> = {}) =>
  proxyOf({ ...PROXIES, ...proxies }, new URL(url));

test("each URL scheme has its own proxy, or none", () => {
  expect(through("http://api.acme.test/v1")).toBe("plain:3128");
  expect(through("https://api.acme.test/v1")).toBe("sealed:3128");
  expect(through("https://api.acme.test/v1", { https: null })).toBeNull();
  expect(proxyOf(null, new URL("https://api.acme.test"))).toBeNull();
});

test("with exceptions, the proxy is named with a note about NO_PROXY", () => {
  expect(through("https://api.acme.test/v1", { hasExceptions: true })).toBe(
    "sealed:3128 (unless NO_PROXY excepts it)",
  );
});
