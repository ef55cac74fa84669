import { afterEach, expect, test } from "bun:test";
import { AskError, command, query, rememberToken, UNREACHABLE } from "./ask.ts";

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
  test(`${status} ${body} does not come from the console and counts as unreachable`, async () => {
    answering(status, body);
    expect(await problemOf(command("key.revoke", { id: "k" }))).toEqual(UNREACHABLE);
    expect(await problemOf(query("session", {}))).toEqual(UNREACHABLE);
  });
}

test("an answer or a problem of the console is returned unchanged", async () => {
  answering(403, '{"problem":{"code":"forbidden","message":"No."}}');
  expect(await problemOf(query("session", {}))).toEqual({ code: "forbidden", message: "No." });
  answering(200, '{"ok":{"a":1}}');
  expect(await query("session", {})).toEqual({ a: 1 } as never);
  answering(200, "{}");
  expect(await command("key.revoke", { id: "k" })).toBeUndefined();
});

/** A gateway that has forgotten this visitor; a page that asks for the session gets a new token. */
function forgetful(person: object | null, accepted = "new"): string[] {
  const asked: string[] = [];
  globalThis.fetch = Object.assign(async (path: string, init: RequestInit) => {
    const token = new Headers(init.headers).get("x-console-token");
    asked.push(`${path} ${token}`);
    if (path.endsWith("/session")) return Response.json({ ok: { person, token: "new" } });
    const stale = { code: "stale", message: "Reload." };
    return token === accepted
      ? Response.json({ ok: {} })
      : Response.json({ problem: stale }, { status: 403 });
  }, realFetch) as typeof fetch;
  return asked;
}

const CREDENTIALS = { email: "a@example.com", password: "a password of somebody" };

test("a stale token before the sign-in is renewed, and the command tried once more", async () => {
  rememberToken("old");
  const asked = forgetful(null);
  expect(await command("sign-in", CREDENTIALS)).toEqual({});
  expect(asked).toEqual(["/console/api/sign-in old", "/console/api/session old", "/console/api/sign-in new"]);
});

test("a stale token is renewed only once, and not if somebody is signed in by now", async () => {
  rememberToken("old");
  const asked = forgetful({ id: "p" });
  expect(await problemOf(command("sign-in", CREDENTIALS))).toMatchObject({ code: "stale" });
  expect(asked).toHaveLength(2);
  const askedAgain = forgetful(null, "none");
  expect(await problemOf(command("sign-in", CREDENTIALS))).toMatchObject({ code: "stale" });
  expect(askedAgain).toHaveLength(3);
});
