import { afterEach, expect, test } from "bun:test";
import { AskError, command, query, UNREACHABLE } from "./ask.ts";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

function answering(status: number, body: string): void {
  globalThis.fetch = Object.assign(async () => new Response(body, { status }), realFetch);
}

async function problemOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AskError ? error.problem : error;
}

for (const [status, body] of [
  [503, '{"message":"Service Unavailable"}'],
  [502, "null"],
  [502, '"Bad Gateway"'],
  [200, "null"],
  [504, "<html>Gateway Timeout</html>"],
  [500, '{"problem":"down"}'],
] as const) {
  test(`${status} ${body} comes from no console: nothing counts as done`, async () => {
    answering(status, body);
    expect(await problemOf(command("revoke-key", { id: "k" }))).toEqual(UNREACHABLE);
    expect(await problemOf(query("session", {}))).toEqual(UNREACHABLE);
  });
}

test("what the console refuses and what it answers come as they are", async () => {
  answering(403, '{"problem":{"code":"forbidden","message":"No."}}');
  expect(await problemOf(query("session", {}))).toEqual({ code: "forbidden", message: "No." });
  answering(200, '{"ok":{"a":1}}');
  expect(await query("session", {})).toEqual({ a: 1 } as never);
  answering(200, "{}");
  expect(await command("revoke-key", { id: "k" })).toBeUndefined();
});
