import { afterAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig, loadConfig } from "../app/settings.ts";

const folder = mkdtempSync(join(tmpdir(), "bursar-credentials-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const ACCOUNT = {
  type: "service_account",
  project_id: "books",
  private_key_id: "k1",
  private_key: PEM,
  client_email: "gateway@books.iam.gserviceaccount.com",
  token_uri: "https://oauth2.googleapis.com/token",
};

function accountFile(content: unknown): string {
  const path = join(mkdtempSync(join(folder, "a-")), "key.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function folderWith(providers: unknown): string {
  const made = mkdtempSync(join(folder, "d-"));
  writeFileSync(join(made, "bursar.yaml"), JSON.stringify({ providers }));
  return made;
}

const providerOf = (name: string, entry: object, env = {}) =>
  loadConfig(env, folderWith({ [name]: entry })).providers.get(name);

test("Bedrock takes an account's access key, which may be temporary, from variables", () => {
  const entry = { access_key_id: `\${AWS_ACCESS_KEY_ID}`, secret_access_key: `\${AWS_SECRET_ACCESS_KEY}` };
  const env = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "s/+=", AWS_SESSION_TOKEN: "t" };
  const found = providerOf("bedrock", entry, env);
  expect(found).toMatchObject({ apiKey: null, awsKeys: { accessKeyId: "AKIA1", secretAccessKey: "s/+=" } });
  expect(found?.settingNames.apiKey).toBe("providers.bedrock.access_key_id");
  expect(providerOf("bedrock", { ...entry, session_token: `\${AWS_SESSION_TOKEN}` }, env)).toMatchObject({
    awsKeys: { sessionToken: "t" },
  });
});

test("Vertex takes a service account's key file, and the account's project unless another is named", () => {
  const service_account_file = accountFile(ACCOUNT);
  const found = providerOf("vertex", { service_account_file });
  expect(found).toMatchObject({
    ...{ apiKey: null, project: "books" },
    serviceAccount: {
      email: ACCOUNT.client_email,
      privateKey: PEM,
      keyId: "k1",
      tokenUrl: ACCOUNT.token_uri,
    },
  });
  expect(found?.settingNames.apiKey).toBe("providers.vertex.service_account_file");
  expect(providerOf("vertex", { service_account_file, project: "other" })?.project).toBe("other");
});

test("a project in the key file that could not be part of an address counts as none", () => {
  const service_account_file = accountFile({ ...ACCOUNT, project_id: "../canary" });
  const entry = { service_account_file, base_url: "https://vertex.example/v1" };
  expect(providerOf("vertex", entry)?.project).toBeUndefined();
  expect(providerOf("vertex", { service_account_file, project: "other" })?.project).toBe("other");
});

test("a key file that cannot be read is not also a missing project", () => {
  const entry = { service_account_file: join(folder, "none"), region: "eu" };
  expect(inspectConfig({}, folderWith({ vertex: entry })).problems).toEqual([
    "providers.vertex.service_account_file: must name a file that can be read (ENOENT)",
  ]);
});

const EC_PEM = String(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
);
const PAIR = "must be set: an access key consists of an id and a secret";
const NO_FILE = "must be the JSON key file of a service account, with client_email and private_key";

describe("credentials that would not work, or would be ignored, stop the start", () => {
  test.each<[problem: string, name: string, entry: object]>([
    [`secret_access_key: ${PAIR}`, "bedrock", { access_key_id: "canary" }],
    [
      "session_token: must be set: an access key whose id begins with ASIA is temporary",
      "bedrock",
      { access_key_id: "ASIAcanary", secret_access_key: "canary" },
    ],
    [`access_key_id: ${PAIR}`, "bedrock", { secret_access_key: "canary" }],
    [
      "api_key: must be left out where access_key_id is set",
      "bedrock",
      { api_key: "canary", access_key_id: "canary", secret_access_key: "canary" },
    ],
    [
      "secret_access_key: must be text of visible ASCII characters without spaces",
      "bedrock",
      { access_key_id: "canary", secret_access_key: "canary canary" },
    ],
    [
      "access_key_id: has no effect for the kind vertex; it is for bedrock",
      "vertex",
      { access_key_id: "canary" },
    ],
    [
      "service_account_file: has no effect for the kind google; it is for vertex",
      "google",
      { service_account_file: "canary" },
    ],
    [
      "service_account_file: must name a file that can be read (ENOENT)",
      "vertex",
      { service_account_file: join(folder, "canary") },
    ],
    ["service_account_file: must be the path of a key file", "vertex", { service_account_file: ["canary"] }],
    [
      "api_key: must be left out where service_account_file is set",
      "vertex",
      { api_key: "canary", service_account_file: accountFile(ACCOUNT) },
    ],
    ...[
      { ...ACCOUNT, project_id: undefined },
      { ...ACCOUNT, project_id: "../canary" },
    ].map((content): [string, string, object] => [
      "project: must be set, since the service account's key file names none",
      "vertex",
      { service_account_file: accountFile(content) },
    ]),
    ["region: has no effect without project", "vertex", { api_key: "k", region: "europe-west4" }],
    ...[
      "canary",
      "[]",
      { ...ACCOUNT, type: "authorized_user" },
      { ...ACCOUNT, private_key: "canary" },
      { ...ACCOUNT, private_key: EC_PEM },
      { ...ACCOUNT, client_email: 5 },
      { ...ACCOUNT, token_uri: "file:///canary" },
    ].map((content): [string, string, object] => [
      `service_account_file: ${NO_FILE}`,
      "vertex",
      { service_account_file: accountFile(content) },
    ]),
  ])("%s", (problem, name, entry) => {
    const { problems } = inspectConfig({}, folderWith({ [name]: entry }));
    expect(problems).toContain(`providers.${name}.${problem}`);
    expect(problems.join("\n").replaceAll("canary:", "")).not.toContain("canary");
  });
});
