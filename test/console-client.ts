import { assert } from "../gateway/src/kit/index.ts";
import type { TestGateway } from "./harness.ts";

/**
 * Somebody signed in to the console of a real gateway, who sends what its pages would send. For tests of the console's
 * API without a browser.
 */
export type ConsoleClient = {
  readonly token: string;
  readonly cookie: string;
  /** `headers` replace those that a page would send; null leaves one out. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string | null>,
    signal?: AbortSignal,
  ): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  query(name: string, input?: unknown): Promise<unknown>;
};

export async function signInToConsole(gateway: TestGateway, email: string): Promise<ConsoleClient> {
  const { origin } = gateway;
  const link = await gateway.services.identity.members.link({ email, purpose: "sign-in" });
  assert(link !== null, `nobody has the address ${email}`);
  const visit = await ask(origin, "");
  const entered = await send(
    `${origin}/console/api/redeem-link`,
    { token: link.token },
    { cookie: visit.cookies, "x-console-token": visit.token },
  );
  assert(entered.ok, `signing in as ${email}: ${entered.status}`);
  const cookie = cookiesOf(entered);
  const { token } = await ask(origin, cookie);
  const get: ConsoleClient["get"] = (path, headers = {}) =>
    fetch(`${origin}${path}`, { headers: { cookie, ...headers } });
  return {
    token,
    cookie,
    get,
    post: (path, body, headers = {}, signal) =>
      send(`${origin}${path}`, body, { cookie, "x-console-token": token, ...headers }, signal),
    async query(name, input = {}) {
      const answer = await get(`/console/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`);
      const { ok, problem } = (await answer.json()) as { ok?: unknown; problem?: { message: string } };
      assert(ok !== undefined, `${name}: ${answer.status} ${problem?.message}`);
      return ok;
    },
  };
}

async function ask(origin: string, cookie: string): Promise<{ token: string; cookies: string }> {
  const answer = await fetch(`${origin}/console/api/session`, { headers: { cookie } });
  const { ok } = (await answer.json()) as { ok: { token: string } };
  return { token: ok.token, cookies: cookiesOf(answer) };
}

function send(
  address: string,
  body: unknown,
  headers: Record<string, string | null>,
  signal?: AbortSignal,
): Promise<Response> {
  const sent = Object.entries({
    origin: new URL(address).origin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    ...headers,
  });
  return fetch(address, {
    method: "POST",
    body: JSON.stringify(body),
    headers: sent.filter((pair): pair is [string, string] => pair[1] !== null),
    signal: signal ?? null,
  });
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
