import { afterAll, beforeAll, expect, test } from "bun:test";
import { OPERATOR } from "../../gateway/src/identity/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const CHAT = { model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }], stream: false };

type Asked = { path?: string; key?: string; headers?: Record<string, string>; body?: object };

async function call(own: TestOrganization, asked: Asked = {}): Promise<number> {
  const { path = "/functions/v1/api-v1-chat", key = own.key, headers, body = {} } = asked;
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...CHAT, ...body }),
  });
  await response.text();
  return response.status;
}

async function counted(own: TestOrganization): Promise<unknown[]> {
  await gateway.services.refusals.flush();
  const { rows } = await gateway.database.db.pool.query(
    "select key_id, model, code, requests::int from refusals where org_id = $1 order by code, model, key_id",
    [own.id],
  );
  return rows.map(Object.values);
}

test("a call refused before it held anything is counted once, whichever check refused it", async () => {
  const own = await gateway.found({ credits: 1_000 });
  const narrow = await own.mint({ scopes: ["usage"] });
  const once = { "idempotency-key": "once" };
  expect([
    await call(own, { body: { messages: [] } }),
    await call(own, { path: "/v1/chat/completions", body: { messages: [] } }),
    await call(own, { body: { model: "sk-a-secret-in-the-wrong-place" } }),
    await call(own, { key: narrow.key }),
    await call(own, { headers: once }),
    await call(own, { headers: once, body: { messages: [{ role: "user", content: "Other" }] } }),
  ]).toEqual([400, 400, 403, 403, 200, 409]);
  expect(await counted(own)).toEqual([
    [own.keyId, "other", "model_not_allowed", 1],
    [narrow.keyId, "other", "scope_denied", 1],
    [own.keyId, "other", "validation_error", 2],
    [own.keyId, "sandbox-chat", "validation_error", 1],
  ]);
});

test("calls without credits, or of an inactive organization, are counted", async () => {
  const own = await gateway.found({ credits: 0 });
  expect(await call(own)).toBe(402);
  let withoutCredits = 1;
  await gateway.services.identity.organizations.update({
    organizationId: own.id,
    active: false,
    actor: OPERATOR,
  });
  // The node hears of it a moment later.
  let status = await call(own);
  for (; status === 402; status = await call(own)) withoutCredits++;
  expect(status).toBe(403);
  expect(await counted(own)).toEqual([
    [own.keyId, "sandbox-chat", "insufficient_credits", withoutCredits],
    [own.keyId, "other", "org_inactive", 1],
  ]);
});

test("a call that was admitted, a read, and a key of nobody are no refused calls", async () => {
  const own = await gateway.found({ credits: 1_000 });
  const rejected = { messages: [{ role: "user", content: "[sandbox:error=400]" }] };
  const usage = `${gateway.origin}/functions/v1/api-v1-usage?days=91`;
  const { status } = await fetch(usage, { headers: { authorization: `Bearer ${own.key}` } });
  expect([await call(own, { body: rejected }), status, await call(own, { key: `${own.key}x` })]).toEqual([
    400, 400, 401,
  ]);
  expect(await counted(own)).toEqual([]);
});
