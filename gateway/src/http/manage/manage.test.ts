import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createReadLimiter } from "../../admission/index.ts";
import { type AppError, assert, newId, systemClock } from "../../kit/index.ts";
import { OPERATIONS, type Operation } from "../../operations/index.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing.ts";
import type { Mount } from "../context.ts";
import { createManagement } from "./manage.ts";

let fixture: ConsoleFixture;
let management: Mount;
let orgId: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  orgId = (await fixture.createOrganization("Acme")).id;
  const { operations, identity } = fixture;
  management = createManagement({
    operations,
    identity,
    catalog: operations.catalog,
    readLimiter: createReadLimiter(systemClock),
    publicUrl: operations.publicUrl,
  });
});
afterAll(() => fixture.close());

async function keyOf(organizationId: string | null, ...scopes: string[]) {
  const ends = { expiresInMs: null, expiresAt: null, mintedBy: null };
  const minted = await fixture.identity.managementKeys.mint({ organizationId, name: "CI", scopes, ...ends });
  assert(minted.outcome === "ok", minted.outcome);
  return { id: minted.key.id, secret: minted.secret };
}

type Sent = {
  readonly body?: object | string;
  readonly authorization?: string | null;
  readonly type?: string;
};

/** The JSON of a reply, or the error as the wire shows it. */
async function ask(
  method: string,
  path: string,
  { body, authorization = null, type = "application/json" }: Sent,
) {
  const headers = new Headers({ "content-type": type });
  if (authorization !== null) headers.set("authorization", authorization);
  const sent = typeof body === "object" ? JSON.stringify(body) : body;
  const init = sent === undefined ? { method, headers } : { method, headers, body: sent };
  try {
    const response = await management.handle(
      new Request(`http://127.0.0.1/manage/v1${path}`, init),
      "10.1.0.1",
    );
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    };
  } catch (error) {
    const { status, code, message, options } = error as AppError;
    return { status, code, message, field: options.field };
  }
}

describe("the management interface", () => {
  test("creates an organization and a key, lists and revokes, in snake_case", async () => {
    const authorization = `Bearer ${(await keyOf(null, "all")).secret}`;
    const created = await ask("POST", "/organizations", { authorization, body: { name: "Globex" } });
    expect(created.body).toMatchObject({ slug: "globex", active: true, granted_credits: expect.any(Number) });
    const body = { name: "Nightly", expires_in: "30d", requests_per_minute: 7 };
    const minted = await ask("POST", "/organizations/globex/keys", { authorization, body });
    expect(minted.body).toMatchObject({ name: "Nightly", requests_per_minute: 7, revoked_at: null });
    expect(String(minted.body?.["key"])).toStartWith("svc_live_");
    const { id } = minted.body as { id: string };
    const revoked = await ask("DELETE", `/organizations/globex/keys/${id}`, { authorization });
    expect(revoked.body).toMatchObject({ id, state: "revoked" });
    const listed = await ask("GET", "/organizations/globex/keys", { authorization });
    expect(listed.body).toMatchObject({ count: 1, keys: [{ id, state: "revoked" }] });
    expect(listed.headers?.get("cache-control")).toBe("no-store");
    expect(listed.headers?.get("ratelimit-limit")).toBe("600");
    const usage = await ask("GET", "/organizations/globex/usage?days=7&split=model", { authorization });
    expect(usage.body).toMatchObject({ sums: { requests: 0 }, days: expect.any(Array) });
  });

  test("refuses every other key, in the words of the API", async () => {
    const { secret, id } = await keyOf(orgId, "keys:read");
    const path = "/organizations/acme/keys";
    const codeOf = async (authorization: string | null) => {
      const { status, code } = await ask("GET", path, { authorization });
      return [status, code];
    };
    const api = (await fixture.mintKey(orgId)).secret;
    expect(await codeOf(null)).toEqual([401, "unauthorized"]);
    expect(await codeOf("Basic abc")).toEqual([401, "unauthorized"]);
    expect(await codeOf(`Bearer ${secret}, Bearer ${secret}`)).toEqual([401, "unauthorized"]);
    for (const wrong of ["", "x", secret.slice(0, -1), `${secret.slice(0, -1)}!`, `${secret}x`, api])
      expect(await codeOf(`Bearer ${wrong}`)).toEqual([401, "invalid_key"]);
    expect(await codeOf(`Bearer ${secret}`)).toEqual([200, undefined]);
    await fixture.identity.managementKeys.revoke({ organizationId: orgId, keyId: id });
    expect(await codeOf(`Bearer ${secret}`)).toEqual([401, "invalid_key"]);
    expect((await ask("GET", `${path}?key=${secret}`, {})).status).toBe(401);
  });

  test("gives no scope that the key does not have", async () => {
    const authorization = `Bearer ${(await keyOf(orgId, "keys:write")).secret}`;
    const mint = (...scopes: string[]) =>
      ask("POST", "/organizations/acme/management-keys", { authorization, body: { name: "More", scopes } });
    expect((await mint("keys:read", "keys:write")).status).toBe(200);
    for (const scope of ["all", "system", "billing:read"]) expect((await mint(scope)).status).toBe(403);
    expect(
      (await ask("POST", "/management-keys", { authorization, body: { name: "X", scopes: ["keys:read"] } }))
        .status,
    ).toBe(403);
  });

  test("answers a foreign organization byte for byte like a missing one", async () => {
    const foreign = await fixture.createOrganization("Foreign");
    const authorization = `Bearer ${(await keyOf(orgId, "all")).secret}`;
    for (const operation of OPERATIONS as readonly Operation[]) {
      const [line] = operation.rest;
      if (!line?.includes("{org}")) continue;
      const [method = "", path = ""] = line.split(" ");
      const at = (org: string) => path.replace("{org}", org).replace(/\{\w+\}/, newId());
      const sent = method === "GET" || method === "DELETE" ? { authorization } : { authorization, body: {} };
      const missing = await ask(method, at("nobody"), sent);
      expect([operation.name, missing.status]).toEqual([operation.name, 404]);
      expect(await ask(method, at(foreign.slug), sent)).toEqual(missing);
      expect(await ask(method, at(foreign.id), sent)).toEqual(missing);
    }
  });

  test("names the wrong field, and takes nothing that is no field", async () => {
    const authorization = `Bearer ${(await keyOf(orgId, "all")).secret}`;
    const path = "/organizations/acme/keys";
    const refusal = async (body: object | string) => (await ask("POST", path, { authorization, body })).field;
    expect(await refusal({ name: "" })).toBe("name");
    expect(await refusal({ name: "K", in_flight: 0 })).toBe("in_flight");
    expect(await refusal({ name: "K", expires_in: "soon" })).toBe("expires_in");
    for (const body of ["{", "[]", "null", '{"name":"a","name":"b"}', '{"name":"K","org_id":"x"}'])
      expect((await ask("POST", path, { authorization, body })).status).toBe(400);
    expect((await ask("POST", path, { authorization, body: "{}", type: "text/plain" })).status).toBe(415);
    expect((await ask("GET", "/organizations/acme/requests?days=0", { authorization })).field).toBe("days");
    expect((await ask("GET", "/organizations/acme/requests?days=1&days=2", { authorization })).field).toBe(
      "days",
    );
    for (const path of [
      "/organizations/%00/keys",
      "/organizations/%2e%2e/keys",
      "/organizations/%zz/keys",
      "/nothing",
    ])
      expect((await ask("GET", path, { authorization })).status).toBe(404);
    expect((await ask("PUT", path, { authorization })).status).toBe(405);
  });

  test("limits a key, and counts by organization", async () => {
    const authorization = `Bearer ${(await keyOf((await fixture.createOrganization("Busy")).id, "all")).secret}`;
    const answers = await Promise.all(
      Array.from({ length: 610 }, () => ask("GET", "/organizations/busy/keys", { authorization })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, refused[0]?.code]).toEqual([10, "rate_limit_exceeded"]);
  });
});

test("the document names a type for every request and reply, refers to none that is missing, and lists every path", async () => {
  const { body } = await ask("GET", "/openapi.json", {});
  const document = body as {
    paths: Record<string, Record<string, { operationId: string; responses: { "200": { content: object } } }>>;
    components: { schemas: Record<string, unknown> };
  };
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(lines.toSorted()).toEqual(OPERATIONS.flatMap(({ rest }: Operation) => [...rest]).toSorted());
  const text = JSON.stringify(document);
  const referred = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name),
  );
  expect([...referred].filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  const unused = Object.keys(document.components.schemas).filter((name) => !referred.has(name));
  expect(unused).toEqual([]);
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((one) => one.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const methods of Object.values(document.paths))
    for (const { operationId, responses } of Object.values(methods)) {
      const json = (responses["200"].content as Record<string, { schema: { $ref?: string } }>)[
        "application/json"
      ];
      expect([operationId, json === undefined || json.schema.$ref !== undefined]).toEqual([
        operationId,
        true,
      ]);
    }
  expect(
    JSON.stringify(document.components.schemas).match(/"[a-z]+[A-Z]\w*":\{"(type|anyOf|enum)"/),
  ).toBeNull();
});

test("docs/manage.md lists every operation with its right and its paths", async () => {
  const text = await Bun.file(`${import.meta.dir}/../../../../docs/manage.md`).text();
  const listed = text.split("\n").filter((line) => line.startsWith("| `"));
  const expected = (OPERATIONS as readonly Operation[]).map(({ name, words, who, area, access, rest }) => {
    const scope = area === "system" ? "`system`" : `\`${area}:${access}\``;
    const paths = rest.map((line) => `\`${line}\``).join("<br>") || "console only";
    return `| \`${name}\` | ${words.about} | ${who} | ${scope} | ${paths} |`;
  });
  expect(listed).toEqual(expected);
});
