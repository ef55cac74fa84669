import { expect, test } from "bun:test";
import { loadConfig } from "./config.ts";

const wayWith = (env: Record<string, string>) => loadConfig(env, import.meta.dir).outboundWay;

test("calls to providers go over our own connections, unless a proxy or certificates are set", () => {
  expect(wayWith({})).toEqual({ isProxied: false, byRuntime: false });
  expect(wayWith({ HTTPS_PROXY: "" })).toEqual({ isProxied: false, byRuntime: false });
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
    expect(wayWith({ [name]: "http://proxy:3128" })).toEqual({ isProxied: true, byRuntime: true });
  for (const name of [
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "SSL_CERT_FILE",
  ])
    expect(wayWith({ [name]: "1" })).toEqual({ isProxied: false, byRuntime: true });
});
