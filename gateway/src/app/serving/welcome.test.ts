import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { OneTimeLink } from "../../identity/index.ts";
import { loadConfig } from "../settings.ts";
import { linkUrl, welcome } from "./welcome.ts";

const SECRET = `svc_live_${"a".repeat(43)}`;
const link: OneTimeLink = {
  token: "t".repeat(43),
  userId: "u",
  purpose: "sign-in",
  expiresAt: new Date("2031-01-01T00:00:00Z"),
};
const fast = { alias: "svc-fast", model: "sandbox-chat", provider: "sandbox" };
const demo = { secret: SECRET, link, totalCredits: 150_000, fast };

function configWith(environment: Record<string, string> = {}) {
  return loadConfig({ PORT: "8787", ...environment }, join(import.meta.dir, "../../../.."));
}

test("welcome: a worker without an address names none", () => {
  const nowhere = { config: null, version: "1.2.3", demo: null };
  const text = welcome({ ...nowhere, wantsJson: false });
  expect(text).toContain("Bursar 1.2.3 is running as a worker");
  expect(text).not.toContain("http");
  const json = JSON.parse(welcome({ ...nowhere, wantsJson: true }));
  expect(json).toEqual({ version: "1.2.3", addresses: null, health: null, demo: null });
});

test("welcome: a worker with an address names that of health and metrics", () => {
  const worker = { config: null, healthOrigin: "http://127.0.0.1:65535", version: "1.2.3", demo: null };
  const text = welcome({ ...worker, wantsJson: false });
  expect(text).toContain("\nHealth and metrics: http://127.0.0.1:65535/healthz, /readyz and /metrics\n");
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  const json = JSON.parse(welcome({ ...worker, wantsJson: true }));
  expect(json).toMatchObject({ addresses: null, health: "http://127.0.0.1:65535/healthz" });
});

test("welcome: JSON is one line, with key and link on the first start only", () => {
  const config = configWith();
  const lineOf = (made: typeof demo | null) => welcome({ config, version: "1", demo: made, wantsJson: true });
  expect(lineOf(demo).indexOf("\n")).toBe(lineOf(demo).length - 1);
  const addresses = {
    console: "http://127.0.0.1:8787/console",
    reference: "http://127.0.0.1:8787/docs",
    api: "http://127.0.0.1:8787/functions/v1",
    compatible_api: "http://127.0.0.1:8787/v1",
  };
  expect(JSON.parse(lineOf(demo))).toEqual({
    version: "1",
    addresses,
    demo: { org: "demo", credits: 150_000, key: SECRET, link: linkUrl(config, link) },
  });
  expect(JSON.parse(lineOf(null))).toEqual({ version: "1", addresses, demo: null });
});

describe("welcome: the text", () => {
  test("names every address, under the public one if it is set", () => {
    const text = welcome({
      config: configWith({ BURSAR_PUBLIC_URL: "https://ai.example.com" }),
      version: "1.2.3",
      demo,
      wantsJson: false,
    });
    expect(text).toContain("Bursar 1.2.3 is running.");
    for (const path of ["/console", "/docs", "/functions/v1", "/v1"]) {
      expect(text).toContain(`https://ai.example.com${path}\n`);
    }
    expect(text).not.toContain("127.0.0.1");
  });

  test("shows the key, the link and a call to paste, on the first start only", () => {
    const config = configWith();
    const first = welcome({ config, version: "1", demo, wantsJson: false });
    expect(first).toContain("150,000 credits");
    expect(first).toContain(linkUrl(config, link));
    const pasted = first.slice(first.indexOf("curl "), first.indexOf("Stop with"));
    expect(
      pasted
        .trim()
        .split("\n")
        .slice(0, -1)
        .every((line) => line.endsWith(" \\")),
    ).toBe(true);
    expect(pasted).toContain(`Bearer ${SECRET}`);
    const later = welcome({ config, version: "1", demo: null, hasDemo: true, wantsJson: false });
    expect(later).not.toContain("svc_live_");
    expect(later).toContain("bursar key create --org demo");
    expect(later).toContain("Link to set a password: bin/bursar member link --email owner@demo.example\n");
  });

  test("includes the data folder in every command, and a database only by its setting's name", () => {
    const textOf = (environment: Record<string, string>, isEmpty = false) =>
      welcome({ config: configWith(environment), version: "1", demo: null, isEmpty, wantsJson: false });
    const folder = { BURSAR_DATA_DIR: "/srv/my data", PORT: "8812" };
    expect(textOf(folder)).toContain("\n  BURSAR_DATA_DIR='/srv/my data' bin/bursar key create --org SLUG");
    expect(textOf(folder)).toContain("\n  BURSAR_DATA_DIR='/srv/my data' bin/bursar member link");
    expect(textOf(folder, true)).toContain("\n  BURSAR_DATA_DIR='/srv/my data' bin/bursar org create");
    const database = { DATABASE_URL: "postgresql://me:canary@127.0.0.1/bursar" };
    for (const isEmpty of [false, true]) {
      const text = textOf(database, isEmpty);
      expect(text).toContain("\n  (with the same DATABASE_URL as this start)\n");
      expect(text).not.toContain("canary");
      expect(textOf({ ...database, BURSAR_COMMAND: "bursar" }, isEmpty)).not.toContain("DATABASE_URL");
    }
  });

  test("fits 80 columns, except for the line with the key", () => {
    for (const [config, made] of [
      [configWith(), demo],
      [configWith({ BURSAR_SANDBOX: "false" }), { ...demo, fast: null }],
      [
        configWith({ OPENAI_API_KEY: "k" }),
        { ...demo, fast: { ...fast, model: "gpt-5.4-nano", provider: "openai" } },
      ],
      [configWith(), null],
      [null, null],
    ] as const) {
      const text = welcome({ config, version: "10.20.30", demo: made, hasDemo: true, wantsJson: false });
      const wide = text.split("\n").filter((line) => line.length > 80 && !line.includes("Authorization"));
      expect(wide).toEqual([]);
    }
  });

  test("shows a call with an existing alias, and none without a callable model", () => {
    const shown = (of: typeof demo.fast | null) =>
      welcome({ config: configWith(), version: "1", demo: { ...demo, fast: of }, wantsJson: false });
    expect(shown({ ...fast, alias: "acme-fast" })).toContain('"model":"acme-fast"');
    expect(shown(null)).not.toContain("curl");
    expect(shown(null)).toContain("No text model can be called yet: set a provider's key");
    expect(shown({ alias: "acme-chat", model: "acme-chat", provider: "sandbox" })).toContain(
      '"model":"acme-chat"',
    );
  });

  test("says before the first call which model answers, and by which setting", () => {
    const lineOf = (env: Record<string, string>, of: typeof fast) =>
      welcome({ config: configWith(env), version: "1", demo: { ...demo, fast: of }, wantsJson: false })
        .split("\n")
        .find((line) => line.startsWith("Try it."));
    expect(lineOf({}, fast)).toBe("Try it. svc-fast is the sandbox here, which answers offline:");
    expect(lineOf({ OPENAI_API_KEY: "canary" }, { ...fast, model: "gpt-5.4-nano", provider: "openai" })).toBe(
      "Try it. svc-fast is gpt-5.4-nano of openai, with your OPENAI_API_KEY:",
    );
    const ollama = { ...fast, model: "llama3", provider: "ollama" };
    expect(lineOf({ OLLAMA_BASE_URL: "http://127.0.0.1:11434/v1" }, ollama)).toEndWith(
      "with your OLLAMA_BASE_URL:",
    );
  });

  test("does not mention a demo if there is none, and says how to get a key and a link", () => {
    const text = welcome({
      config: configWith(),
      version: "1",
      demo: null,
      wantsJson: false,
    });
    expect(text).not.toContain("demo");
    expect(text).toContain("bursar key create --org SLUG --name NAME\n");
    expect(text).toContain("bursar member link --email EMAIL\n");
    expect(text).toContain("Stop with Ctrl-C.");
  });

  test("says how to create the first organization, and why there is no demo", () => {
    const textOf = (environment: Record<string, string>) =>
      welcome({ config: configWith(environment), version: "1", demo: null, isEmpty: true, wantsJson: false });
    const open = textOf({ HOST: "0.0.0.0" });
    expect(open).toContain("There is no organization yet.");
    for (const command of ["org create --name NAME", "key create --org SLUG", "member add --org SLUG"]) {
      expect(open).toContain(`bin/bursar ${command}`);
    }
    expect(open).toContain("BURSAR_DEMO=true");
    const production = textOf({
      BURSAR_ENV: "production",
      BURSAR_SECRET: "s".repeat(32),
      BURSAR_PUBLIC_URL: "https://ai.example.com",
    });
    expect(production).toContain("bin/bursar org create --name NAME");
    expect(production).not.toContain("demo");
    const refused = textOf({ BURSAR_DEMO: "false" });
    expect(refused).toContain("No demo was created, because BURSAR_DEMO=false.");
    expect(refused).not.toContain("others can reach");
    for (const line of [...open.split("\n"), ...production.split("\n")])
      expect(line.length).toBeLessThanOrEqual(80);
  });
});
