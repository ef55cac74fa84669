import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Library } from "../assets/index.ts";
import { silentLog } from "../telemetry/index.ts";
import type { RunningServer } from "./server.ts";
import { startServer } from "./server.ts";
import { CHAT_BODY, CHAT_PATH, createEdge, type Edge, type EdgeOptions, USAGE_PATH } from "./testing.ts";

const HOST = "Host: edge.test\r\n";
const KEY = "Authorization: Bearer good\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const CHAT = JSON.stringify(CHAT_BODY);

const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

function start(options: EdgeOptions = {}): { edge: Edge; server: RunningServer } {
  const edge = createEdge(options);
  const server = startServer({ host: "127.0.0.1", port: 0, log: silentLog, createApp: () => edge.app });
  open.push({ stop: () => server.stop(0) });
  return { edge, server };
}

/** A client that sends exact bytes. */
function dial(server: RunningServer) {
  const socket: Socket = connect(server.port, "127.0.0.1");
  let received = "";
  let ended = false;
  const waiters = new Set<() => void>();
  const notify = () => {
    for (const waiter of [...waiters]) waiter();
  };
  socket.setEncoding("latin1");
  socket.on("data", (text) => {
    received += text;
    notify();
  });
  socket.on("close", () => {
    ended = true;
    notify();
  });
  socket.on("error", () => {});
  open.push({ stop: () => socket.destroy() });

  function until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiters.delete(check);
        resolve();
      };
      waiters.add(check);
      check();
    });
  }

  return {
    socket,
    say: (text: string | Buffer) => void socket.write(text),
    /** The complete first reply. */
    async reply(): Promise<{ status: number; head: string; body: string }> {
      await until(() => ended || isWhole(received));
      const end = received.indexOf("\r\n\r\n");
      const head = received.slice(0, end);
      const body = received.slice(end + 4, end + 4 + contentLength(head));
      received = received.slice(end + 4 + body.length);
      return { status: Number(head.split(" ")[1] ?? 0), head, body };
    },
    closed: () => until(() => ended),
  };
}

function contentLength(head: string): number {
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  return end >= 0 && text.length >= end + 4 + contentLength(text.slice(0, end));
}

function post(headers: string, body: string): string {
  return `POST ${CHAT_PATH} HTTP/1.1\r\n${HOST}${KEY}${headers}\r\n${body}`;
}

describe("malformed HTTP requests", () => {
  test.each([
    ["two Host headers", `GET ${USAGE_PATH} HTTP/1.1\r\n${HOST}Host: b\r\n${KEY}\r\n`, 400],
    ["TRACE", `TRACE ${USAGE_PATH} HTTP/1.1\r\n${HOST}${KEY}\r\n`, 405],
    ["TRACE on an unknown path", `TRACE /functions/v1/nothing HTTP/1.1\r\n${HOST}${KEY}\r\n`, 404],
    ["CONNECT", `CONNECT evil:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
    ["two Authorization headers", `GET ${USAGE_PATH} HTTP/1.1\r\n${HOST}${KEY}${KEY}\r\n`, 401],
    ["two content types", post(`${JSON_TYPE}Content-Type: text/plain\r\nContent-Length: 2\r\n`, "{}"), 415],
    ["a compressed body", post(`${JSON_TYPE}Content-Encoding: br\r\nContent-Length: 2\r\n`, "{}"), 415],
    ["an encoded slash", `GET /functions%2Fv1/api-v1-usage HTTP/1.1\r\n${HOST}${KEY}\r\n`, 404],
    ["encoded dots", `GET /functions/v1/%2e%2e%2fx HTTP/1.1\r\n${HOST}${KEY}\r\n`, 404],
    ["a path of 12 KB", `GET /${"a".repeat(12_000)} HTTP/1.1\r\n${HOST}${KEY}\r\n`, 404],
  ])("%s: refused with a status and a message", async (_, bytes, status) => {
    const { edge, server } = start();
    const client = dial(server);
    client.say(bytes);
    const reply = await client.reply();
    expect([reply.status, JSON.parse(reply.body).error.message.length > 0]).toEqual([status, true]);
    expect(edge.calls).toHaveLength(0);
  });

  test("a Host header that is not a host name does not change the request's path or query", async () => {
    const client = dial(start().server);
    client.say(`GET ${USAGE_PATH}?days=7 HTTP/1.1\r\nHost: a/b?c=d#e\r\n${KEY}\r\n`);
    expect(JSON.parse((await client.reply()).body)).toEqual({ asked: { days: 7, limit: 50 } });
  });

  test.each([
    ["both lengths", post(`${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`, "0\r\n\r\n")],
    ["two lengths", post(`${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`, "{}x")],
    ["a malformed chunk", post(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`, "zz\r\n{}\r\n")],
    ["bare line feeds", `GET ${USAGE_PATH} HTTP/1.1\nHost: a\n\n`],
    ["17 KB of headers", `GET ${USAGE_PATH} HTTP/1.1\r\n${HOST}X: ${"a".repeat(17_000)}\r\n\r\n`],
    ["NUL in a header", `GET ${USAGE_PATH} HTTP/1.1\r\n${HOST}Authorization: Bearer \0\r\n\r\n`],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["garbage", "garbage\r\n\r\n"],
  ])(
    "%s: the parser refuses it and closes the connection, and the server still answers",
    async (_, bytes) => {
      const { edge, server } = start();
      const client = dial(server);
      client.say(Buffer.from(bytes, "latin1"));
      const { status } = await client.reply();
      expect([0, 400, 413, 431, 505]).toContain(status);
      await client.closed();
      expect(edge.calls).toHaveLength(0);
      const next = dial(server);
      next.say(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`);
      expect((await next.reply()).status).toBe(200);
    },
  );
});

describe("bodies", () => {
  test("with a declared length over the limit are 413 immediately, and the connection is closed", async () => {
    const client = dial(start({ settings: { bodyBytes: 1_000 } }).server);
    client.say(post(`${JSON_TYPE}Content-Length: 99999999999\r\n`, "{"));
    const reply = await client.reply();
    expect([reply.status, JSON.parse(reply.body).error.message]).toEqual([
      413,
      "body: must be at most 1000 bytes",
    ]);
    await client.closed();
  });

  test("in chunks over the limit are 413 before they end, and the connection is closed", async () => {
    const settings = { bodyBytes: 1_000, bigBodyBytes: 500, bodyTimeoutMs: 300 };
    const client = dial(start({ settings }).server);
    client.say(post(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`, ""));
    for (let i = 0; i < 20; i++) client.say(`64\r\n${"x".repeat(100)}\r\n`);
    expect((await client.reply()).status).toBe(413);
    await client.closed();
  });

  test("are not waited for if there is no key", async () => {
    const client = dial(start().server);
    client.say(`POST ${CHAT_PATH} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1000000\r\n\r\n`);
    expect((await client.reply()).status).toBe(401);
  });

  test.each([
    ["of declared length", `Content-Length: ${CHAT.length}\r\n`, CHAT.slice(0, 9)],
    ["in chunks", "Transfer-Encoding: chunked\r\n", `9\r\n${CHAT.slice(0, 9)}\r\n`],
  ])("%s that take too long are 408", async (_, length, part) => {
    const { edge, server } = start({ settings: { bodyTimeoutMs: 40 } });
    const client = dial(server);
    client.say(post(`${JSON_TYPE}${length}`, part));
    expect((await client.reply()).status).toBe(408);
    await client.closed();
    expect(edge.app.running).toBe(0);
  });

  test("in one-byte chunks arrive whole", async () => {
    const { edge, server } = start({ settings: { bigBodyBytes: 64 } });
    const client = dial(server);
    client.say(post(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`, ""));
    for (const char of CHAT) client.say(`1\r\n${char}\r\n`);
    client.say("0\r\n\r\n");
    expect((await client.reply()).status).toBe(200);
    expect(edge.calls).toHaveLength(1);
  });

  test("that are large all arrive if more are sent than may be read at the same time", async () => {
    const { edge, server } = start({ settings: { bigBodyBytes: 64, bigBodiesAtOnce: 2 } });
    const clients = Array.from({ length: 20 }, () => dial(server));
    for (const client of clients) client.say(post(`${JSON_TYPE}Content-Length: ${CHAT.length}\r\n`, CHAT));
    const statuses = await Promise.all(clients.map(async (client) => (await client.reply()).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(edge.calls).toHaveLength(20);
  });

  test("whose sender disconnects half-way end their call without an error in the log", async () => {
    const { edge, server } = start();
    const client = dial(server);
    client.say(post(`${JSON_TYPE}Content-Length: 500\r\n`, "{"));
    client.say(" ");
    const arrived = new Promise<void>((resolve) => {
      const look = () => (edge.app.running === 1 ? resolve() : setTimeout(look, 1));
      look();
    });
    await arrived;
    client.socket.destroy();
    await new Promise<void>((resolve) => {
      const look = () => (edge.app.running === 0 ? resolve() : setTimeout(look, 1));
      look();
    });
    expect(edge.logged).toHaveLength(0);
  });
});

/** `/readyz` runs from `started` until it is released. */
function startWithLongReadiness() {
  const release = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const readiness = async () => {
    started.resolve();
    await release.promise;
    return { ready: true } as const;
  };
  return { ...start({ deps: { readiness } }), started, release };
}

describe("the server", () => {
  test("when stopping, answers running requests, refuses new connections, and reports no cut request", async () => {
    const { edge, server, started, release } = startWithLongReadiness();
    const client = dial(server);
    client.say(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`);
    await started.promise;
    const stopped = server.stop(5_000);
    const late = dial(server);
    await late.closed();
    release.resolve();
    expect((await client.reply()).status).toBe(200);
    expect(await stopped).toBe(true);
    expect(edge.app.running).toBe(0);
  });

  test("when stopping, closes idle connections at once, and others after the reply that says so", async () => {
    const { edge, server, started, release } = startWithLongReadiness();
    const idle = dial(server);
    idle.say(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`);
    expect((await idle.reply()).head.toLowerCase()).not.toContain("connection: close");
    const running = dial(server);
    running.say(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`);
    await started.promise;
    const stopped = server.stop(5_000);
    await idle.closed();
    running.say(post(`${JSON_TYPE}Content-Length: ${CHAT.length}\r\n`, CHAT));
    release.resolve();
    const { status, head } = await running.reply();
    expect([status, head.toLowerCase()]).toEqual([200, expect.stringContaining("connection: close")]);
    await running.closed();
    expect(await stopped).toBe(true);
    expect(edge.calls).toHaveLength(0);
  });

  test("when stopping, does not wait for the rest of an incomplete request", async () => {
    const { server } = start();
    const kept = dial(server);
    kept.say(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`);
    expect((await kept.reply()).status).toBe(200);
    kept.say("GET /healthz HTTP/1.1\r\nHost:");
    expect(await server.stop(10_000)).toBe(true);
    await kept.closed();
  });

  test("when stopping, cuts requests that outlast the grace period, and reports it", async () => {
    const started = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const { server } = start({
      deps: {
        readiness: () => {
          started.resolve();
          return never;
        },
      },
    });
    const client = dial(server);
    client.say(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`);
    await started.promise;
    expect(await server.stop(20)).toBe(false);
    await client.closed();
  });

  test("answers a file that was deleted just before it is sent with a 404 that a page of another origin can read", async () => {
    const asset = { id: "a", orgId: "o", mediaType: "image/png", sizeBytes: 5, sha256: "0".repeat(64) };
    const gone = { asset, blobOf: () => Bun.file(join(import.meta.dir, "no-such-file")) };
    const library = { open: () => Promise.resolve(gone) } as unknown as Library;
    const { server } = start({ deps: { library } });
    const url = `http://127.0.0.1:${server.port}/library/${"A".repeat(32)}.png`;
    const { status, headers } = await fetch(url, { headers: { origin: "https://app.example" } });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
  });

  test("answers HEAD for a page with the length that GET has", async () => {
    const { server } = start();
    for (const path of ["/", "/healthz", "/docs", "/openapi.json", "/nowhere", "/v1/models", USAGE_PATH]) {
      const [head, get] = await Promise.all(
        ["HEAD", "GET"].map((method) =>
          fetch(`http://127.0.0.1:${server.port}${path}`, {
            method,
            headers: { "accept-encoding": "identity" },
          }),
        ),
      );
      const sizeBytes = (await get?.arrayBuffer())?.byteLength;
      expect([path, head?.status, head?.headers.get("content-length")]).toEqual([
        path,
        get?.status,
        String(sizeBytes),
      ]);
      expect(await head?.text()).toBe("");
    }
  });

  test("shares a port with another one if sharedPort is set", async () => {
    const edge = createEdge();
    const share = (port: number) =>
      startServer({ host: "127.0.0.1", port, sharedPort: true, log: silentLog, createApp: () => edge.app });
    const first = share(0);
    const second = share(first.port);
    open.push({ stop: () => first.stop(0) }, { stop: () => second.stop(0) });
    expect(second.port).toBe(first.port);
  });
});
