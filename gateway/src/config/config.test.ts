import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig, loadConfig } from "../app/settings.ts";
import { loadCatalog } from "../catalog/index.ts";
import { VENDORS } from "../providers/index.ts";
import { LOG_LEVELS } from "../telemetry/index.ts";
import { ConfigError, withBoundPort } from "./config.ts";
import { PROVIDER_FIELDS } from "./provider-entry.ts";
import { namedKinds } from "./providers.ts";
import { TOP_LEVEL } from "./schema.ts";

const root = mkdtempSync(join(tmpdir(), "bursar-config-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PROJECT = join(import.meta.dir, "..", "..", "..");
const SECRET = "canary-secret-canary-secret-canary-secret";
const production = { BURSAR_ENV: "production", BURSAR_SECRET: SECRET };

function load(env: Record<string, string> = {}, yaml = "") {
  const cwd = mkdtempSync(join(root, "d-"));
  if (yaml) writeFileSync(join(cwd, "bursar.yaml"), yaml);
  return loadConfig(env, cwd);
}

function problemsOf(env: Record<string, string>, yaml = ""): readonly string[] {
  try {
    load(env, yaml);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("config: with nothing set", () => {
  const config = loadConfig({}, root);

  test("everything has its documented default", () => {
    expect(config).toMatchObject({
      environment: "development",
      host: "127.0.0.1",
      port: 8787,
      publicUrl: "http://127.0.0.1:8787",
      dataDir: join(root, "data"),
      databaseUrl: null,
      secret: null,
      trustedProxies: [],
      keyPrefix: "svc_live_",
      aliasPrefix: "svc-",
      metricsToken: null,
      logLevel: "info",
      failpoints: null,
      sandbox: {
        name: "sandbox",
        kind: "sandbox",
        baseUrl: null,
        apiKey: null,
        settingNames: { apiKey: "BURSAR_SANDBOX_KEY", baseUrl: "BURSAR_SANDBOX_URL" },
      },
      demo: true,
      testCheckout: true,
      creditMicroUsd: 1000,
    });
    expect(config.providers.size).toBe(0);
  });

  test("limits and timeouts are those of the contract", () => {
    expect(config.limits).toEqual({
      compatibleBodyBytes: 32 * 1024 * 1024,
      videoBodyBytes: 40 * 1024 * 1024,
      bodyBytes: 4 * 1024 * 1024,
      bigBodyBytes: 1024 * 1024,
      bigBodiesAtOnce: 8,
      bigBodiesBytes: 512 * 1024 * 1024,
      jsonDepth: 64,
      messages: 10_000,
    });
    expect(config.timeouts).toEqual({
      connectMs: 5000,
      firstByteMs: 120_000,
      idleMs: 120_000,
      callMs: 900_000,
      readerStallMs: 60_000,
      keepAliveMs: 15_000,
      settleMs: 30_000,
      drainMs: 30_000,
    });
  });

  test("an empty variable counts as absent", () => {
    expect(load({ PORT: "", DATABASE_URL: "", BURSAR_CONFIG: "", BURSAR_ENV: "" }).port).toBe(8787);
  });
});

describe("config: a valid setting", () => {
  test("is used", () => {
    const config = load({
      HOST: "::",
      PORT: "9000",
      BURSAR_PUBLIC_URL: "https://ai.example.com/",
      BURSAR_DATA_DIR: "/srv/bursar",
      DATABASE_URL: "postgresql://u:p@db:5432/bursar?sslmode=verify-full",
      BURSAR_DATABASE_POOL: "40",
      TRUSTED_PROXIES: "10.0.0.0/8, 192.168.1.1 ::1",
      BURSAR_KEY_PREFIX: "acme_",
      BURSAR_ALIAS_PREFIX: "acme-",
      BURSAR_LOG_LEVEL: "debug",
      BURSAR_SIGN_UP: "open",
      OTEL_SERVICE_NAME: "gateway",
    });
    expect(config).toMatchObject({
      host: "::",
      port: 9000,
      publicUrl: "https://ai.example.com",
      signUp: "open",
      dataDir: "/srv/bursar",
      databaseUrl: "postgresql://u:p@db:5432/bursar?sslmode=verify-full",
      databasePoolSize: 40,
      trustedProxies: ["10.0.0.0/8", "192.168.1.1/32", "::1/128"],
      keyPrefix: "acme_",
      aliasPrefix: "acme-",
      logLevel: "debug",
      otel: { OTEL_SERVICE_NAME: "gateway" },
    });
  });

  test("for the public address is kept; otherwise it follows the bound port", () => {
    expect(withBoundPort(load({ PORT: "0" }), 4242)).toMatchObject({
      port: 4242,
      publicUrl: "http://127.0.0.1:4242",
    });
    const given = load({ PORT: "0", BURSAR_PUBLIC_URL: "https://ai.example.com" });
    expect(withBoundPort(given, 4242).publicUrl).toBe("https://ai.example.com");
  });

  test.each([
    ["::1", "http://[::1]:4242"],
    ["10.0.0.5", "http://10.0.0.5:4242"],
    ["gateway.internal", "http://gateway.internal:4242"],
    ["0.0.0.0", "http://127.0.0.1:4242"],
    ["::", "http://127.0.0.1:4242"],
    ["fe80::1%eth0", "http://127.0.0.1:4242"],
    ["127.1", "http://127.0.0.1:4242"],
  ])("HOST=%s alone gives the public address %s", (HOST, origin) => {
    expect(load({ HOST, PORT: "4242" }).publicUrl).toBe(origin);
    expect(withBoundPort(load({ HOST, PORT: "0" }), 4242).publicUrl).toBe(origin);
  });

  test("BURSAR_LOG_LEVEL may be any level of the log", () => {
    for (const level of LOG_LEVELS) expect(load({ BURSAR_LOG_LEVEL: level }).logLevel).toBe(level);
  });

  test("for limits, timeouts and credit_usd may come from the file", () => {
    const config = load({}, "limits: { json_depth: 32 }\ntimeouts: { connect_ms: 1000 }\ncredit_usd: 0.01");
    expect(config.limits).toMatchObject({ jsonDepth: 32, messages: 10_000 });
    expect(config.timeouts).toMatchObject({ connectMs: 1000, callMs: 900_000 });
    expect(config.creditMicroUsd).toBe(10_000);
  });
});

describe("config: an invalid setting stops the start and is named", () => {
  const URL_ACCEPTS = "must be an http or https address without user, password, query or fragment";
  const cases: [string, Record<string, string>, string?][] = [
    ['BURSAR_ENV: must be one of development, production (got "prod")', { BURSAR_ENV: "prod" }],
    ['PORT: must be a whole number from 0 to 65535 (got "65536")', { PORT: "65536" }],
    ['PORT: must be a whole number from 0 to 65535 (got "8787 ")', { PORT: "8787 " }],
    ['PORT: must be a whole number from 0 to 65535 (got "1e3")', { PORT: "1e3" }],
    ['HOST: must be an IP address or a host name (got "a b")', { HOST: "a b" }],
    ['HOST: must be an IP address or a host name (got "256.1.1.1")', { HOST: "256.1.1.1" }],
    [`BURSAR_PUBLIC_URL: ${URL_ACCEPTS}`, { BURSAR_PUBLIC_URL: "ftp://x" }],
    [`BURSAR_PUBLIC_URL: ${URL_ACCEPTS}`, { BURSAR_PUBLIC_URL: "https://u:canary@x" }],
    [
      "BURSAR_PUBLIC_URL: must be an origin without a path, such as https://ai.example.com",
      { BURSAR_PUBLIC_URL: "https://x/path" },
    ],
    [
      "DATABASE_URL: must be an address such as postgresql://user:password@host:5432/database",
      { DATABASE_URL: "mysql://u:canary@h/d" },
    ],
    [
      'TRUSTED_PROXIES: must be IP addresses or networks such as 10.0.0.0/8 (got "10.0.0.0/33")',
      { TRUSTED_PROXIES: "10.0.0.0/33" },
    ],
    [
      'TRUSTED_PROXIES: must be IP addresses or networks such as 10.0.0.0/8 (got "proxy")',
      { TRUSTED_PROXIES: "10.0.0.1,proxy" },
    ],
    [
      'BURSAR_PRIVATE_MEDIA_HOSTS: must be hosts such as files.internal or 10.0.0.5:9000 (got "http://a")',
      { BURSAR_PRIVATE_MEDIA_HOSTS: "a.internal http://a" },
    ],
    [
      'BURSAR_PRIVATE_MEDIA_HOSTS: must be hosts such as files.internal or 10.0.0.5:9000 (got "10.0.0.0/8")',
      { BURSAR_PRIVATE_MEDIA_HOSTS: "10.0.0.0/8" },
    ],
    [
      'BURSAR_PRIVATE_MEDIA_HOSTS: must be hosts such as files.internal or 10.0.0.5:9000 (got "*")',
      { BURSAR_PRIVATE_MEDIA_HOSTS: "*" },
    ],
    [
      "BURSAR_SECRET: must be 32 to 4096 visible ASCII characters without spaces",
      { BURSAR_SECRET: "canary-short" },
    ],
    [
      "BURSAR_FAILPOINTS: after_hold_commit takes kill, throw, hang or delay:MS, not die",
      { BURSAR_FAILPOINTS: "after_hold_commit=die" },
    ],
    [
      `BURSAR_SECRET: must be set in production, to at least 32 characters: node -p "crypto.randomBytes(32).toString('hex')" prints one`,
      { BURSAR_ENV: "production" },
    ],
    [
      "BURSAR_METRICS_TOKEN: must be 16 to 4096 visible ASCII characters without spaces",
      { BURSAR_METRICS_TOKEN: "canary" },
    ],
    [
      "OPENAI_API_KEY: must be 1 to 4096 visible ASCII characters without spaces",
      { OPENAI_API_KEY: "sk-canary\n" },
    ],
    [`OPENAI_BASE_URL: ${URL_ACCEPTS}`, { OPENAI_BASE_URL: "api.openai.com/v1" }],
    [
      'BURSAR_KEY_PREFIX: must be 2 to 32 letters, digits and _, with _ at the end (got "svc-live-")',
      { BURSAR_KEY_PREFIX: "svc-live-" },
    ],
    ['BURSAR_SANDBOX: must be true or false (got "yes")', { BURSAR_SANDBOX: "yes" }],
    [
      "BURSAR_FAILPOINTS: must not be set in production",
      { ...production, BURSAR_FAILPOINTS: "mid_stream=kill" },
    ],
    ['BURSAR_SIGN_UP: must be one of open, closed (got "yes")', { BURSAR_SIGN_UP: "yes" }],
    [
      "BURSAR_SIGN_UP: must be closed in production unless SMTP_URL is set",
      { ...production, BURSAR_SIGN_UP: "open" },
    ],
    ["BURSAR_DEMO: must not be true in production", { ...production, BURSAR_DEMO: "true" }],
    ["BURSAR_TEST_CHECKOUT: must not be true in production", { ...production, BURSAR_TEST_CHECKOUT: "1" }],
    ["limits.json_depth: must be a whole number from 8 to 512 (got 1.5)", {}, "limits: { json_depth: 1.5 }"],
    ["timeouts.call_ms: must be a whole number from 100 to 3600000", {}, "timeouts: { call_ms: canary }"],
    [
      "timeouts.conect_ms: is not a setting; known here: connect_ms, first_byte_ms, idle_ms, call_ms, reader_stall_ms, keep_alive_ms, settle_ms, drain_ms",
      {},
      "timeouts: { conect_ms: 5 }",
    ],
    ["limits: must be a mapping", {}, "limits: 5"],
    [`modles: is not a setting; known here: ${TOP_LEVEL.join(", ")}`, {}, "modles: []"],
    ["sandbox: must be true or false", {}, "sandbox: canary"],
    ["credit_usd: must be a number from 0.000001 to 1 with at most 6 decimals", {}, "credit_usd: 0"],
  ];
  const rows = cases.map(([problem, env, yaml = ""]) => {
    const given = yaml || JSON.stringify(env);
    return { problem, env, yaml, given };
  });

  test.each(rows)("$problem by $given", ({ problem, env, yaml }) => {
    const problems = problemsOf(env, yaml);
    expect(problems).toEqual([problem]);
    expect(problems.join("\n")).not.toContain("canary");
  });

  test("all invalid settings are in one message", () => {
    const error = catchError(() => load({ PORT: "x", BURSAR_LOG_LEVEL: "loud" }, "limits: { messages: 0 }"));
    expect(error.message.split("\n")).toEqual([
      "Bursar cannot start with these settings:",
      '  - PORT: must be a whole number from 0 to 65535 (got "x")',
      '  - BURSAR_LOG_LEVEL: must be one of debug, info, warn, error, silent (got "loud")',
      "  - limits.messages: must be a whole number from 1 to 100000 (got 0)",
    ]);
  });

  test("BURSAR_CONFIG must name a file that exists", () => {
    expect(problemsOf({ BURSAR_CONFIG: "./nowhere.yaml" })[0]).toStartWith("BURSAR_CONFIG: must name a file");
  });

  test("a misspelled variable is reported, not refused", () => {
    const typos = { BURSAR_DATADIR: "/x", BURSAR_TEST_CHEKOUT: "false" };
    const { problems, config } = inspectConfig({ ...typos, BURSAR_TEST_LONG: "1" }, root);
    expect(problems).toEqual([]);
    expect(config.unknownNames).toEqual(Object.keys(typos));
  });
});

describe("config: the sandbox", () => {
  test("is on outside production, and in production only if it is enabled", () => {
    expect(load().sandbox).toMatchObject({ baseUrl: null });
    expect(load({ BURSAR_SANDBOX: "false" }).sandbox).toBeNull();
    expect(load(production).sandbox).toBeNull();
    expect(load(production, "sandbox: true").sandbox).not.toBeNull();
    expect(load({ ...production, BURSAR_SANDBOX: "true" }).sandbox).not.toBeNull();
    expect(load({ ...production, BURSAR_SANDBOX: "false" }, "sandbox: true").sandbox).toBeNull();
  });
});

describe("bursar.example.yaml", () => {
  const config = loadConfig(
    { BURSAR_CONFIG: join(PROJECT, "bursar.example.yaml"), ACME_KEY: "k", OPENAI_API_KEY: "k" },
    root,
  );

  test("loads as it is, including its models", () => {
    const loaded = loadCatalog({
      configuredProviders: new Set(["sandbox", ...config.providers.keys()]),
      knownProviders: config.knownProviders,
      serves: () => true,
      dropsMessages: () => false,
      thinksBeyondLimit: () => false,
      aliasPrefix: config.aliasPrefix,
      overlay: config.catalogOverlay,
    });
    expect(loaded).toMatchObject({ outcome: "ok" });
    expect(config.providers.get("acme")).toMatchObject({ kind: "openai-wire", apiKey: "k" });
  });

  test("shows every section", () => {
    const text = readFileSync(join(PROJECT, "bursar.example.yaml"), "utf8");
    for (const name of TOP_LEVEL) expect(text).toMatch(new RegExp(`^#? ?${name}:`, "m"));
  });
});

test("BURSAR_PRIVATE_MEDIA_HOSTS accepts hosts as they are in an address", () => {
  const { privateMediaHosts } = loadConfig(
    { BURSAR_PRIVATE_MEDIA_HOSTS: "files.internal, 10.0.0.5:9000 [::1]:80 a:443" },
    root,
  );
  expect(privateMediaHosts).toEqual(["files.internal", "10.0.0.5:9000", "[::1]:80", "a:443"]);
});

test("docs/configuration.md lists every variable and every setting of the file", () => {
  const text = readFileSync(join(PROJECT, "docs/configuration.md"), "utf8");
  const { names, config } = inspectConfig({}, root);
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const settings = [config.limits, config.timeouts, config.notices].flatMap(Object.keys).map(snakeCase);
  const vendors = /_(API_KEY|BASE_URL)$/;
  for (const name of [...names, ...TOP_LEVEL, ...settings]) {
    if (!vendors.test(name)) expect(text).toContain(`\`${name}\``);
  }
  for (const name of namedKinds(VENDORS)) expect(text).toContain(`\`${name.toUpperCase()}\``);
  for (const name of [...Object.keys(VENDORS), ...PROVIDER_FIELDS]) expect(text).toContain(`\`${name}\``);
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
