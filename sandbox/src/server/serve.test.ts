import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { KEY, startTestServer, type TestServer } from "./testing.ts";

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.close());

const CHAT = "/v1/chat/completions";

function post(path: string, body: string, authorization = `Bearer ${KEY}`) {
  return fetch(`${server.url}${path}`, { method: "POST", headers: { authorization }, body });
}

test.each([
  ["Bearer", `Bearer ${KEY}`, 200],
  ["Key", `Key ${KEY}`, 200],
  ["another key", "Bearer secret-key-2", 401],
  ["a longer key", `Bearer ${KEY}1`, 401],
  ["none", "", 401],
])("whoever calls with %s gets %3$i", async (_name, authorization, status) => {
  const response = await fetch(`${server.url}/v1/models`, { headers: { authorization } });
  expect(response.status).toBe(status);
});

test("without a key of its own, it asks for none", async () => {
  const open = startTestServer({ key: null });
  expect((await fetch(`${open.url}/v1/models`)).status).toBe(200);
  await open.close();
});

test.each([
  ["no JSON", "{", 400],
  ["no object", "[]", 400],
  ["no model", "{}", 400],
  ["too much", `{"model":"sandbox-chat","x":"${"x".repeat(33 << 20)}"}`, 413],
])("a body that is %s is refused", async (_name, body, status) => {
  const response = await post(CHAT, body);
  const { error } = (await response.json()) as { error: object };
  expect([response.status, Object.keys(error)]).toEqual([status, ["message", "type", "param", "code"]]);
});

test("of large bodies, four are read at once", async () => {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${KEY}` };
  const endless = () =>
    fetch(`${server.url}${CHAT}`, {
      method: "POST",
      headers,
      body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }),
      signal: stop.signal,
    });
  // The fifth is answered, whichever that is.
  const refused = await Promise.race(Array.from({ length: 5 }, endless));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await post(CHAT, "{")).status).toBe(400);
  stop.abort();
});

test("there is nothing at other paths, and health needs no key", async () => {
  expect((await post("/v1/completions", "{}")).status).toBe(404);
  expect((await post("/v1", "{}")).status).toBe(404);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/files/${"0".repeat(32)}.png`)).status).toBe(404);
});

test("a reference is nobody's to fetch, a file that was made is anybody's, in ranges too", async () => {
  const { data } = (await (
    await post(
      "/v1/images/generations",
      '{"model":"sandbox-image","prompt":"a boat","response_format":"url"}',
    )
  ).json()) as { data: [{ url: string }] };
  const part = await fetch(data[0].url, { headers: { range: "bytes=1-3" } });
  expect([part.status, await part.text()]).toEqual([206, "PNG"]);
  const name = new URL(data[0].url).pathname.split("/").at(-1) ?? "";
  expect((await fetch(`${server.url}/files/${name.slice(0, 32)}`)).status).toBe(404);
});

test("a client that leaves ends its call at once", async () => {
  const leaving = new AbortController();
  const body =
    '{"model":"sandbox-chat","stream":true,"messages":[{"role":"user","content":"[sandbox:delay=60s] hi"}]}';
  const headers = { authorization: `Bearer ${KEY}` };
  const response = await fetch(`${server.url}${CHAT}`, {
    method: "POST",
    headers,
    body,
    signal: leaving.signal,
  });
  leaving.abort();
  await expect(response.text()).rejects.toThrow();
});

const PROGRAM = join(import.meta.dir, "..", "..", "bin", "bursar-sandbox.ts");

/** The program itself, once it has said where it listens. */
async function started(...more: string[]) {
  const child = Bun.spawn(
    [process.execPath, PROGRAM, "--port", "0", "--data", join(server.folder, "own"), ...more],
    {
      stdin: "pipe",
      stdout: "pipe",
      env: { BURSAR_SANDBOX_KEY: KEY },
    },
  );
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const [url = ""] = /http:\/\/[^\s;]+/.exec(new TextDecoder().decode(value)) ?? [];
  return { child, url };
}

test("the program listens on loopback with the key of its environment, and ends when it is told to", async () => {
  const { child, url } = await started();
  expect(url).toStartWith("http://127.0.0.1:");
  expect((await fetch(`${url}/v1/models`)).status).toBe(401);
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
  expect(answer.status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test.each<[string, () => readonly string[], RegExp]>([
  [
    "a port in use",
    () => ["--port", new URL(server.url).port],
    /^bursar-sandbox cannot start on 127\.0\.0\.1:\d+: .+$/,
  ],
  [
    "a port that is none",
    () => ["--port", "first"],
    /^bursar-sandbox cannot start on 127\.0\.0\.1:first: .+ integer.+$/,
  ],
  ["an unknown option", () => ["--prot", "1"], /^bursar-sandbox cannot start: Unknown option '--prot'.*$/],
])("the program says in one line why it cannot start with %s", async (_name, flags, line) => {
  const child = Bun.spawn([process.execPath, PROGRAM, "--data", server.folder, ...flags()], {
    stderr: "pipe",
  });
  expect(await child.exited).toBe(1);
  expect((await new Response(child.stderr).text()).trim()).toMatch(line);
});

test("the program ends with whoever started it, if it is to", async () => {
  const { child } = await started("--with-parent");
  child.stdin.end();
  expect(await child.exited).toBe(0);
});
