import { expect, test } from "bun:test";
import { loadConfig } from "../app/settings.ts";

const wayWith = (env: Record<string, string>) => loadConfig(env, import.meta.dir).outboundWay;

test("provider calls use our own connections unless a proxy or certificates are set", () => {
  expect(wayWith({})).toEqual({ proxies: null, byRuntime: false });
  expect(wayWith({ HTTPS_PROXY: "" })).toEqual({ proxies: null, byRuntime: false });
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
    expect(wayWith({ [name]: "http://proxy:3128" })).toMatchObject({ byRuntime: true });
  for (const name of [
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "SSL_CERT_FILE",
  ])
    expect(wayWith({ [name]: "1" })).toEqual({ proxies: null, byRuntime: true });
});

test("a proxy is shown by host and port only, and lower-case variables take precedence", () => {
  const env = {
    HTTP_PROXY: "http://user:canary@upper:3128/",
    http_proxy: "lower:3128",
    HTTPS_PROXY: "https://user:canary@[::1]:3128",
    NO_PROXY: "minio.internal, .example.com,",
  };
  expect(wayWith(env).proxies).toEqual({
    http: "lower:3128",
    https: "[::1]:3128",
    hasExceptions: true,
  });
  expect(wayWith({ HTTPS_PROXY: "http://proxy.test" }).proxies).toEqual({
    http: null,
    https: "proxy.test",
    hasExceptions: false,
  });
});

test.each(["proxy:3128/", "//proxy:3128", "http://proxy:3128/path", "http://proxy:3128/?x"])(
  "a proxy address that the runtime accepts is accepted: %s",
  (given) => {
    expect(wayWith({ HTTPS_PROXY: given }).proxies?.https).toBe("proxy:3128");
  },
);

test.each(["foo", "socks5://canary:1080", "http://", "http:/canary:3128 x", "canary@proxy", "canary:99999"])(
  "an invalid proxy address is refused without showing it: %s",
  (given) => {
    for (const name of ["HTTP_PROXY", "https_proxy"]) {
      const load = () => loadConfig({ [name]: given }, import.meta.dir);
      expect(load).toThrow(`${name}: must be an http or https address`);
      expect(load).not.toThrow("canary");
    }
  },
);
