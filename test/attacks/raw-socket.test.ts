import { afterAll, describe, expect, test } from "bun:test";
import { startTestGateway } from "../harness.ts";
import { goodCall, refusedFraming, refusedHeads, singleRequests, USAGE_PATH } from "./raw-cases.ts";
import { dialRaw } from "./raw-client.ts";

const gateway = await startTestGateway();
const own = await gateway.found({ credits: 100_000 });
afterAll(() => gateway.close());

/** The number of rows that calls have left. A call is settled before it is answered, so none are added later. */
async function rows(): Promise<number> {
  const { rowCount } = await gateway.database.db.pool.query(
    "select 1 from requests union all select 1 from holds",
  );
  return rowCount ?? 0;
}

/** Whatever was tried: a new client is served, and nothing was charged except that call. */
async function expectUnharmed(rowsBefore: number): Promise<void> {
  const client = dialRaw(gateway.origin);
  client.say(goodCall(own));
  expect((await client.reply())?.status).toBe(200);
  client.leave();
  expect(await rows()).toBe(rowsBefore + 1);
}

describe("an ambiguous request is refused, and its connection is closed", () => {
  test.each([...refusedFraming(own), ...refusedHeads(own)])("%s", async (_, bytes) => {
    const before = await rows();
    const client = dialRaw(gateway.origin);
    client.say(bytes);
    const reply = await client.reply();
    expect([undefined, 400, 413, 431, 505]).toContain(reply?.status);
    await client.closed();
    expect(client.unread).toBe("");
    await expectUnharmed(before);
  });
});

describe("an odd request counts as exactly one request", () => {
  test.each(singleRequests(own))("%s", async (_, bytes, status) => {
    const before = await rows();
    const client = dialRaw(gateway.origin);
    client.say(bytes);
    expect((await client.reply())?.status).toBe(status);
    // The next reply on the same connection answers this request, so there was none in between.
    client.say(`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`);
    const next = await client.reply();
    if (next !== null) expect([next.status, next.body.includes("ok")]).toEqual([200, true]);
    client.leave();
    await expectUnharmed(before);
  });
});

/** The statuses of fifty requests that are sent at once, the two in turn. */
async function pipelined(requests: readonly [string, string]): Promise<number[]> {
  const client = dialRaw(gateway.origin);
  client.say(Array.from({ length: 25 }, () => requests.join("")).join(""));
  const statuses: number[] = [];
  while (statuses.length < 50) {
    const reply = await client.reply();
    if (reply === null) break;
    statuses.push(reply.status);
  }
  client.leave();
  return statuses;
}

test("pipelined requests are answered in order or not at all", async () => {
  const before = await rows();
  const call = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own.key}\r\n\r\n`;
  const quick = await pipelined([call("/healthz"), call("/nothing")]);
  expect(quick).toEqual(Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 200 : 404)));
  // The server closes the connection of a client that does not wait for a slow reply; the remaining replies never come.
  const slow = await pipelined([call(`${USAGE_PATH}?days=7`), call(`${USAGE_PATH}?days=91`)]);
  expect(slow).toEqual(slow.map((_, at) => (at % 2 === 0 ? 200 : 400)));
  await expectUnharmed(before);
});

test("CONNECT is refused, and nothing sent after it is served", async () => {
  const before = await rows();
  const client = dialRaw(gateway.origin);
  client.say("CONNECT evil.test:443 HTTP/1.1\r\nHost: edge.test\r\n\r\n");
  expect((await client.reply())?.status).toBe(405);
  client.say(goodCall(own));
  await expectUnharmed(before);
  expect(client.unread).toBe("");
  client.leave();
});

test("two thousand connections that are silent or send half a request do not stop other clients", async () => {
  const before = await rows();
  const idle = Array.from({ length: 2_000 }, (_, at) => {
    const client = dialRaw(gateway.origin);
    if (at % 2 === 0) client.say(`GET ${USAGE_PATH} HTTP/1.1\r\nHost: a\r\nX-Half: `);
    return client;
  });
  await expectUnharmed(before);
  for (const client of idle) client.leave();
  await expectUnharmed(before + 1);
});
