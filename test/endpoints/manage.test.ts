import { afterAll, beforeAll, expect, test } from "bun:test";
import { assert } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test("the management interface is served: with a request id, and errors in the API's envelope", async () => {
  const ends = { expiresInMs: null, expiresAt: null, mintedBy: null };
  const keys = gateway.services.identity.managementKeys;
  const minted = await keys.mint({ organizationId: null, name: "CI", scopes: ["all"], ...ends });
  assert(minted.outcome === "ok", minted.outcome);
  const ask = (path: string, key: string) =>
    fetch(`${gateway.origin}/manage/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  const listed = await ask("/organizations", minted.secret);
  expect([listed.status, listed.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(listed.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await listed.json()).toMatchObject({ organizations: expect.any(Array), next_cursor: null });
  for (const [path, key, status, code] of [
    ["/organizations", "svc_mgmt_wrong", 401, "invalid_key"],
    ["/organizations/nobody/keys", minted.secret, 404, "validation_error"],
    ["/operators", minted.secret, 403, "scope_denied"],
    ["/nothing", minted.secret, 404, "validation_error"],
  ] as const) {
    const refused = await ask(path, key);
    const { error } = (await refused.json()) as { error: { code: string; request_id: string } };
    expect([path, refused.status, error.code]).toEqual([path, status, code]);
    expect(error.request_id).toBe(refused.headers.get("x-request-id") ?? "");
  }
  const document = await fetch(`${gateway.origin}/manage/v1/openapi.json`);
  expect((await document.json()) as object).toMatchObject({ openapi: "3.1.0" });
});
