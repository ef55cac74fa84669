import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "./config.ts";

const FLAGS = { BURSAR_DEMO: "true", BURSAR_TEST_CHECKOUT: "true" };

describe("what gives credits away", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["is on while bound to loopback", { HOST: "127.0.0.2" }, true],
    ["is on for localhost", { HOST: "localhost" }, true],
    ["is on for IPv6", { HOST: "::1" }, true],
    ["is on at another name of this machine", { BURSAR_PUBLIC_URL: "http://localhost:9000" }, true],
    ["is on at another address of it", { BURSAR_PUBLIC_URL: "http://[::1]:8787" }, true],
    ["is on at a name that only this machine has", { BURSAR_PUBLIC_URL: "http://ai.localhost:8787" }, true],
    ["is off behind a proxy that is named", { TRUSTED_PROXIES: "127.0.0.1" }, false],
    ["is off on every other address", { HOST: "0.0.0.0" }, false],
    ["is off on a name that only looks like loopback", { HOST: "127.example.com" }, false],
    ["is off behind a proxy that others reach", { BURSAR_PUBLIC_URL: "https://ai.example.com" }, false],
    ["is off behind a name that only looks like it", { BURSAR_PUBLIC_URL: "http://127.example.com" }, false],
    [
      "is off where only the public address is loopback",
      { HOST: "10.0.0.5", BURSAR_PUBLIC_URL: "http://localhost" },
      false,
    ],
    ["can be asked for elsewhere", { HOST: "0.0.0.0", ...FLAGS }, true],
    ["can be asked for behind a proxy", { BURSAR_PUBLIC_URL: "https://ai.example.com", ...FLAGS }, true],
    ["can be switched off", { BURSAR_DEMO: "false", BURSAR_TEST_CHECKOUT: "0" }, false],
    ["is off in production", { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) }, false],
  ])("%s", (_, env, expected) => {
    expect(loadConfig(env, tmpdir())).toMatchObject({ demo: expected, testCheckout: expected });
  });
});
