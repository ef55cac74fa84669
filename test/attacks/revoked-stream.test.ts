import { afterAll, expect, test } from "bun:test";
import { OPERATOR } from "../../gateway/src/identity/index.ts";
import { startTestGateway } from "../harness.ts";

const gateway = await startTestGateway();
const own = await gateway.found({ credits: 100_000 });
afterAll(() => gateway.close());

function chat(key: string, content: string): Promise<Response> {
  return fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", stream: true, messages: [{ role: "user", content }] }),
  });
}

test("a stream whose key is revoked runs to its end and is charged, and the next call is refused", async () => {
  const { key, keyId } = await own.mint();
  const response = await chat(key, "[sandbox:first-byte=500ms] [sandbox:tokens=200] go");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? "";
  await gateway.services.identity.keys.revoke({ organizationId: own.id, keyId, actor: OPERATOR });
  await gateway.services.identity.refresh();
  const refused = await chat(key, "again");
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining("invalid_key")]);
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    text += piece.value;
  const told = Number(/event: done\ndata: .*"credits_charged":(\d+)/.exec(text)?.[1]);
  const { rows } = await gateway.database.db.pool.query<{ status: string; charged: number }>(
    "select status, (charged_subscription + charged_anytime)::int as charged from requests where key_id = $1",
    [keyId],
  );
  expect(rows).toEqual([{ status: "succeeded", charged: told }]);
  expect(told).toBeGreaterThan(0);
});
