import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig, loadConfig } from "../app/settings.ts";
import { VENDORS } from "../providers/index.ts";
import { HTTP_URL_ACCEPTS } from "./env.ts";
import { PROVIDER_FIELDS } from "./provider-entry.ts";

const root = mkdtempSync(join(tmpdir(), "bursar-providers-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderWith(yaml: string): string {
  const folder = mkdtempSync(join(root, "d-"));
  writeFileSync(join(folder, "bursar.yaml"), yaml);
  return folder;
}

const load = (env: Record<string, string> = {}, yaml = "") => loadConfig(env, folderWith(yaml));

describe("providers", () => {
  test("are configured by a key or an address in the environment", () => {
    const { providers } = load({ OPENAI_API_KEY: "sk-1", OLLAMA_BASE_URL: "http://127.0.0.1:11434/v1/" });
    expect([...providers.values()]).toEqual([
      {
        ...{ name: "openai", kind: null, baseUrl: null, apiKey: "sk-1" },
        settingNames: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
      },
      {
        ...{ name: "ollama", kind: null, baseUrl: "http://127.0.0.1:11434/v1", apiKey: null },
        settingNames: { apiKey: "OLLAMA_API_KEY", baseUrl: "OLLAMA_BASE_URL" },
      },
    ]);
  });

  test("with another usual name for their key accept it, after NAME_API_KEY", () => {
    const keys = (env: Record<string, string>) =>
      [...load(env).providers.values()].map(({ name, apiKey }) => `${name} ${apiKey}`);
    expect(keys({ FAL_KEY: "f-1", REPLICATE_API_TOKEN: "r-1", ELEVENLABS_API_KEY: "e-1" })).toEqual([
      "fal f-1",
      "replicate r-1",
      "elevenlabs e-1",
    ]);
    expect(keys({ FAL_KEY: "f-1", FAL_API_KEY: "f-2" })).toEqual(["fal f-2"]);
    const keyName = (env: Record<string, string>) => load(env).providers.get("fal")?.settingNames.apiKey;
    expect([keyName({ FAL_KEY: "f-1" }), keyName({ FAL_API_KEY: "f-2" })]).toEqual([
      "FAL_KEY",
      "FAL_API_KEY",
    ]);
  });

  test("in the file replace those of the environment completely, so that no key meets another address", () => {
    const yaml = "providers: { openai: { base_url: http://127.0.0.1:9/v1 } }";
    expect(load({ OPENAI_API_KEY: "sk-1" }, yaml).providers.get("openai")).toEqual({
      name: "openai",
      kind: null,
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: null,
      settingNames: { apiKey: "providers.openai.api_key", baseUrl: "providers.openai.base_url" },
    });
  });
});

test("an entry of a provider passes every field to its adapter", () => {
  const yaml = `
providers:
  work:
    kind: azure
    base_url: https://acme.example/
    api_version: 2024-10-21
    api_key: k
    headers: { X-Team: blue team }
    on_disconnect: drain
    stream_usage: false
    max_tokens_field: max_completion_tokens
    responses: false
    thinks_beyond_limit: true
`;
  expect(load({}, yaml).providers.get("work")).toEqual({
    name: "work",
    kind: "azure",
    baseUrl: "https://acme.example",
    apiKey: "k",
    settingNames: { apiKey: "providers.work.api_key", baseUrl: "providers.work.base_url" },
    headers: { "x-team": "blue team" },
    onDisconnect: "drain",
    apiVersion: "2024-10-21",
    streamUsage: false,
    maxTokensField: "max_completion_tokens",
    responses: false,
    thinksBeyondLimit: true,
  });
});

test("region and project are accepted for a cloud", () => {
  const yaml =
    "providers: { ours: { kind: vertex, region: eu-central-1, project: p-1, on_disconnect: stop } }";
  expect(load({}, yaml).providers.get("ours")).toMatchObject({ region: "eu-central-1", project: "p-1" });
});

test("an entry named like a kind needs no kind", () => {
  const yaml = "providers: { bedrock: { region: eu-west-1 }, azure: { base_url: https://acme.example } }";
  expect([...load({}, yaml).providers.values()]).toMatchObject([
    { name: "bedrock", kind: null, baseUrl: null, apiKey: null, region: "eu-west-1" },
    { name: "azure", kind: null, baseUrl: "https://acme.example", apiKey: null },
  ]);
  expect(inspectConfig({}, folderWith("providers: { azure: { api_key: k } }")).problems).toEqual([
    `providers.azure.base_url: ${HTTP_URL_ACCEPTS}`,
  ]);
});

test("an entry that no adapter can serve is a problem, and is not a provider", () => {
  const yaml = "providers: { acme: { kind: telepathy }, blue: { kind: openai-wire } }";
  const { config, problems } = inspectConfig({}, folderWith(yaml));
  expect(problems).toEqual([
    `providers.acme.kind: must be one of ${Object.keys(VENDORS).join(", ")}`,
    `providers.blue.base_url: ${HTTP_URL_ACCEPTS}`,
  ]);
  expect([...config.providers.keys()]).toEqual([]);
});

describe("an invalid provider setting is named without its value", () => {
  const cases: readonly (readonly [problem: string, yaml: string])[] = [
    ["providers: must be a mapping of names", "providers: [canary]"],
    [
      `providers.acme.kind: must be one of ${Object.keys(VENDORS).join(", ")}`,
      "providers: { acme: { base_url: http://h/v1 } }",
    ],
    [
      "providers.acme.api_key: must be text of visible ASCII characters without spaces",
      "providers: { acme: { kind: openai-wire, base_url: http://h/v1, api_key: 'canary canary' } }",
    ],
    [
      `providers.acme.base_url: ${HTTP_URL_ACCEPTS}`,
      "providers: { acme: { kind: openai-wire, base_url: 'http://u:canary@h/v1' } }",
    ],
    [
      `providers.acme.apikey: is not a setting; known here: ${PROVIDER_FIELDS.join(", ")}`,
      "providers: { acme: { kind: openai-wire, base_url: http://h/v1, apikey: canary } }",
    ],
    [`providers.acme.base_url: ${HTTP_URL_ACCEPTS}`, "providers: { acme: { kind: azure, api_key: k } }"],
    [
      "providers.acme.headers: must be a mapping of at most 32 header names to their texts",
      "providers: { acme: { kind: groq, headers: { host: canary } } }",
    ],
    [
      "providers.acme.headers: must be a mapping of at most 32 header names to their texts",
      'providers: { acme: { kind: groq, headers: { x-a: "canary\\r\\nx-b: c" } } }',
    ],
    [
      "providers.acme.on_disconnect: must be one of stop, drain",
      "providers: { acme: { kind: groq, on_disconnect: canary } }",
    ],
    [
      "providers.acme.api_version: must be text of letters, digits and . _ : -",
      "providers: { acme: { kind: azure, base_url: http://h, api_version: '1&canary' } }",
    ],
    [
      "providers.acme.stream_usage: must be true or false",
      "providers: { acme: { kind: groq, stream_usage: canary } }",
    ],
    [
      "providers.acme.responses: must be true or false",
      "providers: { acme: { kind: groq, responses: canary } }",
    ],
    [
      "providers.acme.max_tokens_field: must be one of max_tokens, max_completion_tokens",
      "providers: { acme: { kind: groq, max_tokens_field: canary } }",
    ],
    [
      "providers.acme.region: has no effect for the kind groq; it is for bedrock and vertex",
      "providers: { acme: { kind: groq, region: [canary] } }",
    ],
    [
      "providers.acme.project: has no effect for the kind openai-wire; it is for vertex",
      "providers: { acme: { kind: openai-wire, base_url: http://h/v1, project: canary } }",
    ],
    [
      "providers.groq.api_version: has no effect for the kind groq; it is for azure",
      "providers: { groq: { api_version: canary } }",
    ],
    ...[
      "stream_usage: true",
      "responses: true",
      "max_tokens_field: max_tokens",
      "thinks_beyond_limit: true",
    ].map(
      (line) =>
        [
          `providers.acme.${line.split(":")[0]}: has no effect for the kind anthropic; it is for those that speak chat completions, such as openai-wire, azure, openai and groq`,
          `providers: { acme: { kind: anthropic, ${line} } }`,
        ] as const,
    ),
    [
      "providers.fal.on_disconnect: has no effect for the kind fal; it is for those that make text",
      "providers: { fal: { on_disconnect: drain } }",
    ],
    [
      "providers.sandbox: must be a name of lower-case letters, digits and - _ (sandbox is Bursar's own)",
      "providers: { sandbox: { kind: openai-wire } }",
    ],
  ];
  const rows = cases.map(([problem, yaml]) => ({ problem, yaml }));

  test.each(rows)("$problem by $yaml", ({ problem, yaml }) => {
    const { problems } = inspectConfig({}, folderWith(yaml));
    expect(problems).toEqual([problem]);
    expect(problems.join("\n")).not.toContain("canary");
  });
});
