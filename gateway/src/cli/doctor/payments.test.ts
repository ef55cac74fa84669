import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "../../app/settings.ts";
import { checkPayments } from "./payments.ts";

const PUBLIC = { BURSAR_PUBLIC_URL: "https://ai.example.com" };
const PRODUCTION = { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) };

const check = (env: Record<string, string>) => checkPayments(loadConfig(env, tmpdir()));

describe("doctor: the test checkout", () => {
  test("is ok if only this machine can reach it", () => {
    expect(check({})).toMatchObject({ state: "ok", finding: expect.stringContaining("the test checkout") });
  });

  test.each([PUBLIC, { HOST: "0.0.0.0" }])("is a warning if others can reach it, by %o", (address) => {
    expect(check({ ...address, BURSAR_TEST_CHECKOUT: "true" })).toMatchObject({
      state: "warning",
      finding: expect.stringContaining("the test checkout, where others can reach it"),
      fix: expect.stringContaining("Unset BURSAR_TEST_CHECKOUT"),
    });
  });

  test("is reported with the reason if it is off: an address, a setting or production", () => {
    expect(check(PUBLIC)).toMatchObject({
      state: "warning",
      finding: expect.stringContaining("off by default where others can reach it"),
    });
    expect(check({ BURSAR_TEST_CHECKOUT: "false" })).toMatchObject({
      state: "warning",
      fix: "Set BURSAR_TEST_CHECKOUT=true to try it.",
    });
    expect(check({ ...PRODUCTION, ...PUBLIC })).toMatchObject({ state: "ok" });
  });
});
