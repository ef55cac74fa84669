import { afterEach, describe, expect, test } from "bun:test";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { silentLog } from "../../telemetry/index.ts";
import { type RunningServer, startServer } from "../server.ts";
import { CHAT_PATH, createEdge, type EdgeOptions } from "../testing.ts";

const IMAGES = "/functions/v1/api-v1-images";
const COMPATIBLE = "/v1/chat/completions";
const MIB = 1024 * 1024;
/** The largest body that any route takes. */
const LARGEST = 40 * MIB;
const LARGE = Buffer.alloc(4 * MIB + 1, "x");

const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

function start(options: EdgeOptions = {}): RunningServer {
  const edge = createEdge(options);
  const server = startServer({ host: "127.0.0.1", port: 0, log: silentLog, createApp: () => edge.app });
  open.push({ stop: () => server.stop(0) });
  return server;
}

type Sent = {
  readonly path: string;
  readonly headers: string;
  readonly key?: string;
  readonly method?: string;
};

function head({ path, headers, key = "good", method = "POST" }: Sent): string {
  return `${method} ${path} HTTP/1.1\r\nHost: edge.test\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
}

const ofLength = (bytes: number) => `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n`;

/** A client that reads nothing before it has sent everything. */
function dial(server: RunningServer) {
  const socket = connect(server.port, "127.0.0.1");
  let received = "";
  socket.setEncoding("latin1");
  socket.pause();
  socket.on("error", () => {});
  socket.on("data", (text) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  open.push({ stop: () => socket.destroy() });
  const say = (bytes: string | Buffer) =>
    Promise.race([closed, new Promise<void>((resolve) => socket.write(bytes, () => resolve()))]);
  return {
    say,
    firstBytes: () =>
      new Promise<string>((resolve) => {
        socket.once("data", (text) => resolve(String(text)));
        socket.resume();
      }),
    /** The status of the answer, 0 if there was none, once the server has closed the connection. */
    async statusAtEnd(): Promise<number> {
      socket.resume();
      await closed;
      const [, body = ""] = received.split("\r\n\r\n");
      return JSON.parse(body || "{}").error === undefined ? 0 : Number(received.split(" ")[1]);
    },
  };
}

async function statusOf(server: RunningServer, sent: Sent, body: Buffer = LARGE): Promise<number> {
  const client = dial(server);
  await client.say(head(sent));
  await client.say(body);
  return client.statusAtEnd();
}

const CLOSE = `Connection: close\r\n${ofLength(LARGE.byteLength)}`;

describe("a client that sends its whole body before it reads gets the response of the refusal", () => {
  test.each<[string, Sent, number]>([
    ["a body above the limit of images", { path: IMAGES, headers: CLOSE }, 413],
    ["a body above the limit of chat", { path: CHAT_PATH, headers: CLOSE }, 413],
    ["a key without the scope", { path: IMAGES, headers: CLOSE, key: "usage" }, 403],
    ["an unknown key", { path: COMPATIBLE, headers: CLOSE, key: "nobody" }, 401],
    ["an unknown path", { path: "/v1/nothing", headers: CLOSE }, 404],
    ["a wrong method", { path: CHAT_PATH, headers: CLOSE, method: "PUT" }, 405],
    [
      "a Connection header in another spelling",
      { path: IMAGES, headers: CLOSE.replace("close", "TE, Close") },
      413,
    ],
  ])("%s", async (_, sent, status) => {
    const server = start();
    const all = await Promise.all(Array.from({ length: 4 }, () => statusOf(server, sent)));
    expect(all).toEqual(Array.from({ length: 4 }, () => status));
  });

  test.each(["Connection: close\r\n", ""])(
    "a chunked body above the limit, with the Connection header %j",
    async (connection) => {
      const chunked = `${connection}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
      const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MIB, "x"), Buffer.from("\r\n")]);
      const body = Buffer.concat([...Array.from({ length: 8 }, () => chunk), Buffer.from("0\r\n\r\n")]);
      expect(await statusOf(start(), { path: IMAGES, headers: chunked }, body)).toBe(413);
    },
  );

  test("the HTTP client of Node", async () => {
    const server = start();
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: "Bearer usage", "content-type": "application/json" };
      const at = { port: server.port, path: IMAGES, method: "POST", agent: false as const, headers };
      const sending = httpRequest(at, (reply) => resolve(reply.resume().statusCode));
      sending.on("error", reject);
      sending.end(LARGE);
    });
    expect(status).toBe(403);
  });
});

describe("the rest of a refused body is read within limits", () => {
  const slow = `Connection: close\r\n${ofLength(1_000)}`;

  test("a body that does not end is answered after the body timeout", async () => {
    const server = start({ settings: { bodyTimeoutMs: 40 } });
    const client = dial(server);
    const startedMs = performance.now();
    await client.say(head({ path: IMAGES, headers: slow, key: "nobody" }));
    const drip = setInterval(() => void client.say("x"), 10);
    expect(await client.statusAtEnd()).toBe(401);
    expect(performance.now() - startedMs).toBeGreaterThan(39);
    clearInterval(drip);
  });

  test.each([2 * LARGEST + 1, 99_999_999_999])(
    "a body of %d bytes is answered immediately: the limit is twice the largest body",
    async (bytes) => {
      const client = dial(start({ settings: { bodyTimeoutMs: 60_000 } }));
      const headers = `Connection: close\r\n${ofLength(bytes)}`;
      await client.say(head({ path: IMAGES, headers, key: "nobody" }));
      expect(await client.statusAtEnd()).toBe(401);
    },
  );

  test("a chunked body is cut off at twice the largest body", async () => {
    const limits = { bodyBytes: MIB, compatibleBodyBytes: MIB, videoBodyBytes: MIB, bodyTimeoutMs: 60_000 };
    const client = dial(start({ settings: limits }));
    const chunked = "Connection: close\r\nTransfer-Encoding: chunked\r\n";
    await client.say(head({ path: IMAGES, headers: chunked, key: "nobody" }));
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MIB, "x"), Buffer.from("\r\n")]);
    for (let sent = 0; sent < 3; sent++) await client.say(chunk);
    expect(await client.statusAtEnd()).toBe(401);
  });

  test("one sender gets two thirds of the places and is answered immediately beyond; others get a place", async () => {
    const server = start({ settings: { bodyTimeoutMs: 60_000, trustedProxies: ["127.0.0.1/32"] } });
    let answered = 0;
    const clients: ReturnType<typeof dial>[] = [];
    // A sender that pauses for long is answered.
    const drip = setInterval(() => clients.forEach(({ say }) => void say("x")), 50);
    for (let sender = 0; sender < 100; sender++) {
      const client = dial(server);
      clients.push(client);
      await client.say(
        head({ path: IMAGES, headers: `X-Forwarded-For: 192.0.2.1\r\n${slow}`, key: "nobody" }),
      );
      void client.statusAtEnd().then(() => answered++);
    }
    const others = { path: IMAGES, headers: `X-Forwarded-For: 192.0.2.2\r\n${CLOSE}` };
    expect(await statusOf(server, others)).toBe(413);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => (answered < 58 ? setTimeout(look, 1) : resolve());
    look();
    await promise;
    expect(await statusOf(server, others)).toBe(413);
    clearInterval(drip);
    expect(answered).toBe(58);
  });

  test("without Connection: close, the response is sent while the body arrives", async () => {
    const client = dial(start({ settings: { bodyTimeoutMs: 60_000 } }));
    await client.say(head({ path: IMAGES, headers: ofLength(1_000), key: "nobody" }));
    const reply = await client.firstBytes();
    expect(reply).toStartWith("HTTP/1.1 401");
  });

  test("under overload, a request is 503 without its body being read", async () => {
    const client = dial(start({ settings: { maxRunningCalls: 0, bodyTimeoutMs: 60_000 } }));
    await client.say(head({ path: IMAGES, headers: slow }));
    expect(await client.statusAtEnd()).toBe(503);
  });
});
