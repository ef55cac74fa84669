import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "../app/settings.ts";

const FLAGS = { BURSAR_DEMO: "true", BURSAR_TEST_CHECKOUT: "true" };

describe("what gives credits away (demo and test checkout)", () => {
  test.each<[string, Record<string, string>, boolean]>([
    ["is on while bound to loopback", { HOST: "127.0.0.2" }, true],
    ["is on for localhost", { HOST: "localhost" }, true],
    ["is on for IPv6", { HOST: "::1" }, true],
    ["is on with another name of this machine", { BURSAR_PUBLIC_URL: "http://localhost:9000" }, true],
    ["is on with another address of this machine", { BURSAR_PUBLIC_URL: "http://[::1]:8787" }, true],
    ["is on with a name below localhost", { BURSAR_PUBLIC_URL: "http://ai.localhost:8787" }, true],
    ["is off behind a configured proxy", { TRUSTED_PROXIES: "127.0.0.1" }, false],
    ["is off if bound to every address", { HOST: "0.0.0.0" }, false],
    ["is off on a name that only looks like loopback", { HOST: "127.example.com" }, false],
    ["is off with a public address", { BURSAR_PUBLIC_URL: "https://ai.example.com" }, false],
    [
      "is off with a public address that only looks like loopback",
      { BURSAR_PUBLIC_URL: "http://127.example.com" },
      false,
    ],
    [
      "is off if only the public address is loopback",
      { HOST: "10.0.0.5", BURSAR_PUBLIC_URL: "http://localhost" },
      false,
    ],
    ["can be enabled on every address", { HOST: "0.0.0.0", ...FLAGS }, true],
    ["can be enabled with a public address", { BURSAR_PUBLIC_URL: "https://ai.example.com", ...FLAGS }, true],
    ["can be switched off", { BURSAR_DEMO: "false", BURSAR_TEST_CHECKOUT: "0" }, false],
    ["is off in production", { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) }, false],
  ])("%s", (_, env, expected) => {
    expect(loadConfig(env, tmpdir())).toMatchObject({ demo: expected, testCheckout: expected });
  });
});
