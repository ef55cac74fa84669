import { afterAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../gateway/src/identity/index.ts";
import { startTestGateway, type TestOrganization } from "../harness.ts";
import { CASES } from "../route-suite-cases.ts";
import { parkBody } from "./parked-body.ts";

/** The time within which a revocation must take effect on every node. */
const REVOKED_WITHIN_MS = 1_000;
const POLL_MS = 50;

const gateway = await startTestGateway();
afterAll(() => gateway.close());

const messages = [{ role: "user", content: "hello" }];
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /functions/v1/api-v1-chat": { model: "sandbox-chat", messages },
  "POST /functions/v1/api-v1-images": { model: "sandbox-image", prompt: "a boat" },
  "POST /functions/v1/api-v1-audio": { model: "sandbox-voice", prompt: "Hello." },
  "POST /functions/v1/api-v1-video": { model: "sandbox-video", prompt: "waves", duration: 1 },
  "POST /v1/chat/completions": { model: "sandbox-chat", messages },
  "POST /v1/responses": { model: "sandbox-chat", input: "hello" },
  "POST /v1/images/generations": { model: "sandbox-image", prompt: "a boat" },
};
const NAMES = Object.keys(CALLS);
const { identity } = gateway.services;

type Key = Awaited<ReturnType<TestOrganization["mint"]>>;

async function parkAll({ key }: Key) {
  const headers = { authorization: `Bearer ${key}` };
  const parked = Object.entries(CALLS).map(([name, body]) => ({
    name,
    call: parkBody(gateway.origin, { path: name.replace("POST ", ""), headers, body }),
  }));
  // A later request was answered, so all of these have been authenticated.
  expect((await fetch(`${gateway.origin}/functions/v1/api-v1-models`, { headers })).status).toBe(200);
  return parked;
}

async function waitFor(ms: number): Promise<void> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < ms) await Bun.sleep(POLL_MS);
}

async function answersOf(parked: Awaited<ReturnType<typeof parkAll>>): Promise<unknown> {
  const answers = parked.map(async ({ name, call }) => {
    const { status, text } = await call.finish();
    return [name, status, /"code":\s*"(\w+)"/.exec(text)?.[1]];
  });
  return Promise.all(answers);
}

async function callsOf({ keyId }: Key): Promise<number> {
  const { rowCount } = await gateway.database.db.pool.query("select 1 from requests where key_id = $1", [
    keyId,
  ]);
  return rowCount ?? 0;
}

test("every route with a body is covered here", () => {
  const routes = Object.keys(CASES).filter((name) => name.startsWith("POST "));
  expect(NAMES.toSorted()).toEqual(routes.toSorted());
});

describe("calls whose bodies arrive later than a revocation takes effect", () => {
  test("are refused on every route if their key was revoked meanwhile", async () => {
    const own = await gateway.found();
    const key = await own.mint();
    const parked = await parkAll(key);
    await identity.keys.revoke({ organizationId: own.id, keyId: key.keyId, actor: OPERATOR });
    await waitFor(REVOKED_WITHIN_MS);
    expect(await answersOf(parked)).toEqual(NAMES.map((name) => [name, 401, "invalid_key"]));
    expect(await callsOf(key)).toBe(0);
  });

  test("are refused if their organization was deactivated meanwhile", async () => {
    const own = await gateway.found();
    const parked = await parkAll(own);
    await identity.organizations.update({ organizationId: own.id, active: false, actor: OPERATOR });
    await waitFor(REVOKED_WITHIN_MS);
    expect(await answersOf(parked)).toEqual(NAMES.map((name) => [name, 403, "org_inactive"]));
    expect(await callsOf(own)).toBe(0);
  });

  test("are served if nothing has changed", async () => {
    const own = await gateway.found();
    const parked = await parkAll(own);
    await waitFor(REVOKED_WITHIN_MS);
    expect(await answersOf(parked)).toEqual(NAMES.map((name) => [name, 200, undefined]));
  });
});
