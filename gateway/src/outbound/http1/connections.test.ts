import { describe, expect, test } from "bun:test";
import { headText, LAST_CHUNK, type Exchange as ServerSide } from "../../../../test/upstream/raw-http.ts";
import { present } from "../../kit/index.ts";
import { startMediaHost, TEST_CA } from "../public/public-testing.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { targetOf } from "./target.ts";
import { createSender, failureOf, serversOfTests, targetAt, textOf } from "./testing.ts";

const serve = serversOfTests();

/** How many connections two calls use, one after the other. */
async function connectionsOfTwo(answer: (side: ServerSide) => void): Promise<number> {
  const server = await serve(answer);
  const send = createSender();
  await textOf(await send(targetAt(server.port)));
  await textOf(await send(targetAt(server.port)));
  return server.connections;
}

describe("a connection", () => {
  test("is reused for one call after another", async () => {
    expect(await connectionsOfTwo((side) => side.respond({ body: "a" }))).toBe(1);
    const inChunks = `${headText(200, { "transfer-encoding": "chunked" })}1\r\na\r\n${LAST_CHUNK}`;
    expect(await connectionsOfTwo((side) => side.write(inChunks))).toBe(1);
    expect(await connectionsOfTwo((side) => side.write("HTTP/1.1 204 Nothing\r\n\r\n"))).toBe(1);
  });

  test("is not shared by concurrent calls", async () => {
    const waiting: ServerSide[] = [];
    const server = await serve((side) => void waiting.push(side));
    const send = createSender();
    const calls = [1, 2, 3].map(() => send(targetAt(server.port)).then(textOf));
    while (waiting.length < 3) await Bun.sleep(2);
    for (const side of waiting) side.respond({ body: "a" });
    expect(await Promise.all(calls)).toEqual(["a", "a", "a"]);
    expect(server.connections).toBe(3);
  });

  test.each([
    ["says that it closes", headText(200, { connection: "Close", "content-length": "1" }), "a"],
    ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\n", "a"],
    [
      "sends both a length and chunks",
      headText(200, { "content-length": "1", "transfer-encoding": "chunked" }),
      `1\r\na\r\n${LAST_CHUNK}`,
    ],
    ["sends more than the length", headText(200, { "content-length": "1" }), "abc"],
  ])("is not reused if the provider %s", async (_name, head, body) => {
    expect(await connectionsOfTwo((side) => side.write(`${head}${body}`))).toBe(2);
  });

  test("with unsolicited bytes is closed, and they are not used as an answer", async () => {
    const sides: ServerSide[] = [];
    const server = await serve((side) => {
      sides.push(side);
      side.respond({ body: "right" });
    });
    const send = createSender();
    await textOf(await send(targetAt(server.port)));
    sides[0]?.write(`${headText(200, { "content-length": "5" })}wrong`);
    await present(sides[0], "the connection").request.closed;
    expect(await textOf(await send(targetAt(server.port)))).toBe("right");
    expect(server.connections).toBe(2);
  });

  test("that the provider closed while idle is not reused", async () => {
    const sides: ServerSide[] = [];
    const server = await serve((side) => {
      sides.push(side);
      side.respond({ body: "a" });
    });
    const send = createSender();
    await textOf(await send(targetAt(server.port)));
    sides[0]?.socket.end();
    await present(sides[0], "the connection").request.closed;
    expect(await textOf(await send(targetAt(server.port)))).toBe("a");
    expect(server.connections).toBe(2);
  });

  test("that stays idle is closed by us", async () => {
    const sides: ServerSide[] = [];
    const server = await serve((side) => {
      sides.push(side);
      side.respond({ body: "a" });
    });
    const send = createSender(new ConnectionPool({ idleMs: 30 }));
    await Promise.all([1, 2].map(() => send(targetAt(server.port)).then(textOf)));
    await Promise.all(sides.map((side) => side.request.closed));
    expect(await textOf(await send(targetAt(server.port)))).toBe("a");
  });

  test("that is found dead when reused is replaced once", async () => {
    let asked = 0;
    const server = await serve((side, count) => {
      asked = count;
      if (count === 2 || count > 3) side.socket.destroy();
      else side.respond({ body: String(count) });
    });
    const send = createSender();
    expect(await textOf(await send(targetAt(server.port)))).toBe("1");
    expect(await textOf(await send(targetAt(server.port)))).toBe("3");
    expect(server.connections).toBe(2);
    expect(await failureOf(send(targetAt(server.port)))).toBe("ECONNRESET");
    expect([asked, server.connections]).toEqual([5, 3]);
  });

  describe("that the provider ends with a 408", () => {
    const CLOSING = headText(408, { connection: "close", "content-length": "4" });
    const OLD = "HTTP/1.0 408 Request Time-out\r\nCache-Control: no-cache\r\n\r\n";
    const STAYING = headText(408, { "content-length": "4" });
    const late = async () => {
      for (let waited = 0; waited < 3; waited++) await Bun.sleep(40);
    };

    /** What a second call gets if its request is answered like this on the first one's connection. */
    async function secondAnswer(tell: (side: ServerSide) => void | Promise<void>): Promise<string> {
      const server = await serve((side, count) =>
        count === 2 ? tell(side) : side.respond({ body: String(count) }),
      );
      const send = createSender();
      await textOf(await send(targetAt(server.port)));
      const answer = await send(targetAt(server.port));
      return `${answer.status} ${await textOf(answer)}`;
    }

    test.each([
      ["in one piece", (side: ServerSide) => side.write(`${CLOSING}late`)],
      ["without its body", (side: ServerSide) => side.write(CLOSING)],
      ["as HTTP/1.0", (side: ServerSide) => void side.socket.end(OLD)],
      [
        "in two pieces",
        async (side: ServerSide) => {
          await side.push(CLOSING.slice(0, 20));
          side.write(CLOSING.slice(20));
        },
      ],
    ])("is replaced: %s", async (_name, tell) => {
      expect(await secondAnswer(tell)).toBe("200 3");
    });

    test.each([
      ["without closing", (side: ServerSide) => side.write(`${STAYING}late`)],
      ["after a while", (side: ServerSide) => late().then(() => side.write(`${CLOSING}late`))],
      [
        "after an informational response",
        (side: ServerSide) => side.write(`HTTP/1.1 102 On it\r\n\r\n${CLOSING}late`),
      ],
    ])("passes the 408 on to the caller: %s", async (_name, tell) => {
      expect(await secondAnswer(tell)).toBe("408 late");
    });

    test("is replaced only once", async () => {
      let asked = 0;
      const server = await serve((side, count) => {
        asked = count;
        if (count === 1) side.respond({ body: "a" });
        else side.write(`${CLOSING}late`);
      });
      const send = createSender();
      await textOf(await send(targetAt(server.port)));
      expect((await send(targetAt(server.port))).status).toBe(408);
      expect(asked).toBe(3);
    });
  });

  test("that dies at its first use fails the call, without a retry", async () => {
    let count = 0;
    const server = await serve((side) => {
      count++;
      side.socket.destroy();
    });
    expect(await failureOf(createSender()(targetAt(server.port)))).toBe("ECONNRESET");
    expect(count).toBe(1);
  });

  test.each([
    [
      "after a while",
      async ({ socket }: ServerSide) => {
        for (let waited = 0; waited < 3; waited++) await Bun.sleep(40);
        socket.destroy();
      },
    ],
    [
      "after part of the status line",
      async (side: ServerSide) => {
        await side.push("HTTP/1.1 2");
        side.socket.end();
      },
    ],
  ])("that dies %s fails the call, without a retry", async (_name, die) => {
    let asked = 0;
    const server = await serve((side, count) => {
      asked = count;
      return count === 1 ? side.respond({ body: "a" }) : die(side);
    });
    const send = createSender();
    await textOf(await send(targetAt(server.port)));
    expect(await failureOf(send(targetAt(server.port)))).toBe("ECONNRESET");
    expect(asked).toBe(2);
  });

  test("is closed if the caller gives up, before the answer or during it", async () => {
    const sides: ServerSide[] = [];
    const server = await serve((side, count) => {
      sides.push(side);
      if (count === 2) side.write(`${headText(200, { "content-length": "9" })}abc`);
    });
    const send = createSender();
    const controller = new AbortController();
    const early = send(targetAt(server.port), {}, controller.signal);
    while (sides.length < 1) await Bun.sleep(2);
    controller.abort(new Error("enough"));
    expect(await failureOf(early)).toBe("Error: enough");
    await present(sides[0], "the connection").request.closed;
    const answer = await send(targetAt(server.port));
    answer.cancel();
    await present(sides[1], "the connection").request.closed;
  });

  test("that is refused fails with ECONNREFUSED", async () => {
    const server = await serve(() => {});
    await server.close();
    expect(await failureOf(createSender()(targetAt(server.port)))).toBe("ECONNREFUSED");
  });

  test("to an empty host name fails its call", async () => {
    const nowhere = { ...targetAt(1), hostname: "" };
    expect(await failureOf(createSender()(nowhere))).toBe("ERR_INVALID_ARG_TYPE");
  });
});

describe("with TLS", () => {
  const secure = (port: number, serverName: string) => ({
    ...targetAt(port),
    ...{ origin: `https://${serverName}:${port}`, serverName, host: serverName },
  });

  test("sends requests to a host that its certificate names, on one connection", async () => {
    const host = startMediaHost((request) => new Response(request.headers.get("x-key")));
    const send = createSender(new ConnectionPool({ ca: TEST_CA }));
    for (const key of ["one", "two"]) {
      const answer = await send(secure(host.port, "media.test"), { headers: { "x-key": key } });
      expect(await textOf(answer)).toBe(key);
    }
    expect(host.seen).toEqual(["media.test /", "media.test /"]);
    expect(host.connections).toBe(1);
    await host.close();
  });

  test.each([
    ["for another name", "evil.test", new ConnectionPool({ ca: TEST_CA }), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["not trusted", "media.test", new ConnectionPool(), "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("sends nothing if the certificate is %s", async (_name, serverName, pool, code) => {
    const host = startMediaHost(() => new Response("x"));
    const send = createSender(pool);
    expect(await failureOf(send(secure(host.port, serverName), { headers: { "x-key": "secret" } }))).toBe(
      code,
    );
    expect(host.seen).toEqual([]);
    await host.close();
  });

  test("closes the connection if the caller gives up during the handshake", async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    // Accepts the connection and never answers the handshake.
    const mute = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: () => arrived.resolve(), close: () => left.resolve() },
    });
    const controller = new AbortController();
    const call = createSender()(secure(mute.port, "media.test"), {}, controller.signal);
    await arrived.promise;
    controller.abort(new Error("enough"));
    expect(await failureOf(call)).toBe("Error: enough");
    await left.promise;
    mute.stop(true);
  });

  test("fails if the provider does not speak TLS", async () => {
    const host = startMediaHost(() => new Response("plain"), { tls: false });
    expect(await failureOf(createSender()(secure(host.port, "media.test")))).not.toBe("none");
    await host.close();
  });
});

test("targetOf parses http and https URLs, and returns null for others and for credentials", () => {
  expect(targetOf("http://user:word@host/")).toBeNull();
  expect(targetOf("ftp://host/")).toBeNull();
  expect(targetOf("https://[::1]:8443/a?b=c")).toEqual({
    ...{ origin: "https://[::1]:8443", hostname: "::1", port: 8443, serverName: "::1", host: "[::1]:8443" },
    path: "/a?b=c",
  });
  expect(targetOf("http://host")).toMatchObject({ port: 80, serverName: null, path: "/" });
  expect(targetOf("https://host")).toMatchObject({ port: 443, serverName: "host" });
});
