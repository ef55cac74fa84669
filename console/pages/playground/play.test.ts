import { afterEach, expect, test } from "bun:test";
import { NO_ANSWER, openPlay, PlayError } from "./play.ts";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

async function refusedWith(status: number, body: string) {
  globalThis.fetch = Object.assign(async () => new Response(body, { status }), realFetch);
  const error = await openPlay({ endpoint: "api-v1-chat", body: {} }, {}).catch((thrown: unknown) => thrown);
  return error instanceof PlayError ? { code: error.code, message: error.message } : error;
}

for (const body of [
  '{"error":"Service Unavailable"}',
  '{"error":{"code":503}}',
  '{"error":{"code":"down"}}',
  '{"problem":"down"}',
  '"Bad Gateway"',
  "null",
  "<html>Gateway Timeout</html>",
]) {
  test(`${body} does not come from the gateway and gives a message for people`, async () => {
    expect(await refusedWith(503, body)).toEqual({
      code: NO_ANSWER,
      message: "The gateway does not answer. Check your connection, or that it is running, and try again.",
    });
  });
}

test("a refusal by the gateway or the console is returned unchanged", async () => {
  const said = { code: "model_not_allowed", message: "No." };
  expect(await refusedWith(403, JSON.stringify({ error: { ...said, field: "model" } }))).toEqual(said);
  expect(await refusedWith(401, JSON.stringify({ problem: said }))).toEqual(said);
});
