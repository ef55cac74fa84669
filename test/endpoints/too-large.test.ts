import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  gateway = await startTestGateway();
  own = await gateway.found({ credits: 100 });
});
afterAll(() => gateway.close());

/** Node's clients write the whole body before they read, and fail if the connection ends meanwhile. */
const NODE_CLIENT = `
  const [, url, key] = process.argv;
  const headers = { authorization: "Bearer " + key, "content-type": "application/json" };
  const seen = [];
  for (const bytes of [5e6, 9e6, 20e6, 5e6, 20e6]) {
    const body = JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "x".repeat(bytes) }] });
    seen.push(await fetch(url, { method: "POST", headers, body }).then(
      async (response) => response.status + " " + (await response.json()).error.code,
      (error) => String(error.cause ?? error),
    ));
  }
  console.log(JSON.stringify(seen));
`;

test("Node's clients get a 413 for a body that is too large", async () => {
  const url = `${gateway.origin}/functions/v1/api-v1-chat`;
  const command = [Bun.which("node") ?? "node", "--input-type=module", "-e", NODE_CLIENT, url, own.key];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const seen = JSON.parse(await new Response(child.stdout).text());
  expect(seen).toEqual(Array(5).fill("413 validation_error"));
});

test("a chunked body that is too large gets a 413, and the next request is answered", async () => {
  const piece = new TextEncoder().encode("x".repeat(64 << 10));
  let pieces = 0;
  const body = new ReadableStream({
    pull: (stream) => (++pieces > 160 ? stream.close() : stream.enqueue(piece)),
  });
  const headers = { authorization: `Bearer ${own.key}`, "content-type": "application/json" };
  const send = (sent: BodyInit) =>
    fetch(`${gateway.origin}/functions/v1/api-v1-chat`, { method: "POST", headers, body: sent });
  expect((await send(body)).status).toBe(413);
  expect((await send("{}")).status).toBe(400);
});
