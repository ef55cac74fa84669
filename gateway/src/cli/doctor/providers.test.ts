import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliHost } from "../cli-host.ts";
import { type CliHarness, createCliHarness } from "../testing.ts";
import { examineWith, named } from "./testing.ts";

let cli: CliHarness;
beforeAll(async () => {
  cli = await createCliHarness();
});
afterAll(() => cli.drop());

const examine = (env: Record<string, string> = {}, host: Partial<CliHost> = {}) =>
  examineWith(cli, env, host);

describe("doctor: providers and models", () => {
  test("no callable model is broken; providers are listed without their keys", async () => {
    const none = await examine({ BURSAR_SANDBOX: "false" });
    expect([none.code, named(none.checks, "models")[0]?.state]).toEqual([1, "broken"]);
    const keys = { OPENAI_API_KEY: "sk-secret-key", GROQ_API_KEY: "sk-secret-key" };
    const refused = { outcome: "refused", status: 401 } as const;
    const { code, checks } = await examine(keys, {
      tryProviders: async () => new Map([["openai", refused]]),
    });
    expect(code).toBe(1);
    expect(named(checks, "providers").map((check) => [check.state, check.finding])).toEqual([
      ["broken", "openai refuses its key (401)"],
      ["warning", "groq is set up, but this version cannot call it"],
    ]);
    expect(JSON.stringify(checks)).not.toContain("sk-secret-key");
  });

  test("a provider that no model is sent to is a warning where only the sandbox can be called", async () => {
    const file = join(cli.dataDir, "unused.yaml");
    writeFileSync(file, "providers: { vertex: { api_key: secret-key } }");
    const { checks } = await examine({ BURSAR_CONFIG: file });
    rmSync(file);
    expect(named(checks, "models")).toMatchObject([
      { state: "warning", finding: expect.stringMatching(/, all from the sandbox; none is sent to vertex$/) },
    ]);
    const [sandboxAlone] = named((await examine()).checks, "models");
    expect(sandboxAlone).toMatchObject({
      state: "ok",
      finding: expect.stringContaining("no provider key is set"),
    });
  });

  test("a refused catalog is reported, and its models are not checked", async () => {
    const file = join(cli.dataDir, "refused.yaml");
    const model = `{ id: acme, type: text, targets: [{ provider: nobody, model: m }] }`;
    writeFileSync(file, `models: [${model}]`);
    const { code, checks } = await examine({ BURSAR_CONFIG: file });
    rmSync(file);
    expect([code, named(checks, "catalog").length > 0, named(checks, "models")]).toEqual([1, true, []]);
  });
});
