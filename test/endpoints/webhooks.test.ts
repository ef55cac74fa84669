import { afterAll, beforeAll, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { startReceiver } from "../../gateway/src/outbox/testing.ts";
import { type ConsoleClient, signInToConsole } from "../console-client.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
let organization: TestOrganization;
let owner: ConsoleClient;
let authorization: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  organization = await gateway.found();
  await organization.addMember("owner@example.com", "owner");
  owner = await signInToConsole(gateway, "owner@example.com");
  authorization = await bearerFor(organization.id);
});
afterAll(() => gateway.close());

async function bearerFor(
  organizationId: string | null,
  scopes = ["webhooks:write", "audit:read"],
): Promise<string> {
  const minted = await gateway.services.identity.managementKeys.mint({
    ...{ organizationId, name: "ci", scopes, expiresInMs: null, expiresAt: null, mintedBy: null },
  });
  if (minted.outcome !== "ok") throw new Error(minted.outcome);
  return `Bearer ${minted.secret}`;
}

type Json = { readonly [field: string]: Json } & readonly Json[] & string & number;

async function rest(method: string, path: string, body?: object, bearer = authorization) {
  const response = await fetch(`${gateway.origin}/manage/v1${path}`, {
    method,
    headers: { authorization: bearer, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const own = (path: string) => `/organizations/${organization.id}${path}`;

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await done()) return;
    await Bun.sleep(10);
  }
  throw new Error("it did not come");
}

async function attemptsOf(id: unknown): Promise<unknown> {
  const { rows } = await gateway.database.db.pool.query(
    "select attempts from deliveries where endpoint_id = $1",
    [id],
  );
  return rows[0]?.["attempts"];
}

test("a webhook is refused twice, arrives, and is replayed from REST and console; the log says who did what", async () => {
  const receiver = startReceiver((_, count) => new Response("canary", { status: count < 3 ? 500 : 200 }));
  const made = await rest("POST", own("/webhooks"), { address: receiver.url, types: ["key.created"] });
  expect(made).toMatchObject({ status: 200, body: { kind: "webhook", paused_at: null } });
  const { id, secret } = made.body;
  await organization.mint({ name: "told" });
  for (const [count, waitMs] of [
    [1, 6_000],
    [2, 61_000],
    [3, 0],
  ] as const) {
    // The pause before the next try begins when the result is written.
    await until(async () => (await attemptsOf(id)) === count);
    await gateway.database.advanceClock(waitMs);
  }
  const [{ headers, body } = { headers: new Headers(), body: "" }] = receiver.got.slice(-1);
  const event = new Webhook(String(secret)).verify(body, Object.fromEntries(headers.entries())) as {
    id: string;
  };
  expect(event).toMatchObject({
    type: "key.created",
    organization_id: organization.id,
    data: { name: "told" },
  });

  const deliveries = await rest("GET", own(`/webhooks/${id}/deliveries`));
  expect(deliveries.body["rows"]).toMatchObject([{ event_id: event.id, attempts: 3, http_status: 200 }]);
  expect(JSON.stringify(deliveries)).not.toContain("canary");
  expect(await rest("POST", own(`/webhooks/${id}/replay`), { event: event.id })).toMatchObject({
    status: 200,
    body: { events: 1 },
  });
  await until(() => receiver.got.length === 4);
  const replayed = await owner.post("/console/api/delivery.replay", { id, since: "2020-01-01" });
  // The organization's first key was before the webhook, which is told of it now.
  expect(await replayed.json()).toEqual({ ok: { events: 2 } });
  await until(() => receiver.got.length === 6);
  receiver.stop();

  const events = await rest("GET", own("/events?limit=1"));
  expect(events.body["rows"]).toMatchObject([{ id: event.id, data: { name: "told" } }]);
  const audit = await owner.query("audit.list", { objectId: String(id) });
  expect((audit as { rows: object[] }).rows).toMatchObject([
    { operation: "delivery.replay", face: "console", after: { events: 2 } },
    { operation: "delivery.replay", face: "rest", after: { events: 1 } },
    { operation: "webhook.create", face: "rest", after: { types: ["key.created"], paused: false } },
  ]);
  expect(JSON.stringify(audit)).not.toContain("/hook");
});

test("webhooks can be listed, changed, rotated, tested and removed, and the secret is shown once", async () => {
  const receiver = startReceiver(() => new Response());
  const { body: made } = await rest("POST", own("/webhooks"), { kind: "webhook", address: receiver.url });
  const path = own(`/webhooks/${made["id"]}`);
  expect(await rest("PATCH", path, { types: ["plan.changed"] })).toMatchObject({
    body: { types: ["plan.changed"] },
  });
  const rotated = await rest("POST", `${path}/rotate-secret`);
  expect(rotated.body["secret"]).not.toBe(made["secret"]);
  expect(rotated.body["old_secret_until"]).toBeString();
  expect(await rest("POST", `${path}/test`)).toMatchObject({ status: 200 });
  await until(() => receiver.got.length === 1);
  expect(receiver.got[0]?.headers.get("webhook-signature")?.split(" ")).toHaveLength(2);
  const listed = JSON.stringify(await owner.query("webhook.list"));
  expect(listed).toContain(String(made["id"]));
  for (const hidden of ["whsec_", "/hook"]) expect(listed).not.toContain(hidden);
  expect(await rest("DELETE", path)).toMatchObject({ status: 200 });
  expect(await rest("DELETE", path)).toMatchObject({ status: 404 });
  receiver.stop();
});

test("what is asked for wrongly is refused, and says what it takes", async () => {
  for (const [body, words] of [
    [{ address: "ftp://hooks.example" }, "a public https URL"],
    [{ address: "stranger@example.com", kind: "email" }, "no emails"],
    [{ address: "https://hooks.example", types: ["key.made"] }, "key.created"],
    [{ address: "https://hooks.example", more: 1 }, "more"],
  ] as const) {
    const refused = await rest("POST", own("/webhooks"), body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(words);
  }
  expect(await rest("POST", own("/webhooks/x/replay"), {})).toMatchObject({ status: 400 });
});

test("another organization's webhook is none, and operators have their own", async () => {
  const { body: made } = await rest("POST", own("/webhooks"), { address: "https://hooks.example" });
  const other = await gateway.found();
  const foreign = await bearerFor(other.id);
  const at = (id: string) => `/organizations/${id}/webhooks/${made["id"]}`;
  for (const [path, bearer] of [
    [at(organization.id), foreign],
    [at(other.id), foreign],
    [at(other.id), authorization],
  ] as const)
    expect(await rest("POST", `${path}/test`, {}, bearer)).toMatchObject({ status: 404 });
  expect((await rest("GET", "/webhooks", undefined, authorization)).status).toBe(403);
  const operator = await bearerFor(null);
  const ours = await rest("POST", "/webhooks", { address: "http://127.0.0.1:1/inside" }, operator);
  expect(ours).toMatchObject({ status: 200, body: { host: "127.0.0.1:1" } });
  expect(await rest("GET", "/webhooks", undefined, operator)).toMatchObject({ body: { count: 1 } });
  expect(
    (await rest("POST", own("/webhooks"), {}, await bearerFor(organization.id, ["webhooks:read"]))).status,
  ).toBe(403);
});
