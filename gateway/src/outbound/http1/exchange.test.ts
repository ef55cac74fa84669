import { describe, expect, test } from "bun:test";
import {
  chunked,
  headText,
  LAST_CHUNK,
  type Exchange as ServerSide,
} from "../../../../test/upstream/raw-http.ts";
import { createSender, failureOf, serversOfTests, targetAt, textOf } from "./testing.ts";

const serve = serversOfTests();

describe("a request", () => {
  test("is sent with its own headers in lower case, and the standard ones", async () => {
    const seen: ServerSide["request"][] = [];
    const server = await serve((side) => {
      seen.push(side.request);
      side.respond({ body: "ok" });
    });
    const send = createSender();
    const target = targetAt(server.port, "/v1/x?y=%20z");
    await textOf(await send(target, { headers: { Authorization: "Bearer k" }, body: "ünï 🎉" }));
    await textOf(
      await send(target, {
        method: "GET",
        body: undefined,
        headers: { accept: "text/plain", host: "other" },
      }),
    );
    expect(seen[0]).toMatchObject({ method: "POST", path: "/v1/x?y=%20z", text: "ünï 🎉" });
    expect(seen[0]?.headers).toEqual({
      authorization: "Bearer k",
      connection: "keep-alive",
      host: `127.0.0.1:${server.port}`,
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "Bursar",
      "content-length": String(Buffer.byteLength("ünï 🎉")),
    });
    expect(seen[1]?.headers).toEqual({
      ...{ connection: "keep-alive", accept: "text/plain", host: "other" },
      ...{ "accept-encoding": "identity", "user-agent": "Bursar" },
    });
  });

  test("without a body has content-length 0, whatever framing headers the caller set", async () => {
    const seen: ServerSide["request"][] = [];
    const server = await serve((side) => {
      seen.push(side.request);
      side.respond({ body: "" });
    });
    const headers = { "Content-Length": "7", "Transfer-Encoding": "chunked", Connection: "close" };
    await textOf(await createSender()(targetAt(server.port), { body: undefined, headers }));
    expect(seen[0]?.headers).toMatchObject({ "content-length": "0", connection: "keep-alive" });
    expect(seen[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  test.each([
    ["a line break in a value", { "x-key": "a\r\nx-evil: 1" }],
    ["NUL in a value", { "x-key": "a\0" }],
    ["a character that no header can carry", { "x-key": "日" }],
    ["a blank in a name", { "x key": "a" }],
    ["a line break in a name", { "x\r\ny": "a" }],
  ])("with %s is not sent", async (_name, headers) => {
    const server = await serve((side) => side.respond({ body: "" }));
    const send = createSender();
    expect(() => send(targetAt(server.port), { headers })).toThrow(TypeError);
    expect(server.connections).toBe(0);
  });

  test.each([
    ["bytes", new Uint8Array(24 << 20).fill(97), 24 << 20],
    ["text with characters of 1 to 4 bytes", "aé€😀".repeat(2 << 20), 20 << 20],
    ["pieces", ["é{", Buffer.alloc(12 << 20, "ab"), "€,", Buffer.alloc(9 << 20, "c"), "}"], (21 << 20) + 8],
  ])("with many megabytes of %s arrives complete", async (_name, body, sizeBytes) => {
    const server = await serve((side) => side.respond({ body: Bun.hash(side.request.text).toString() }));
    const sent = Buffer.concat([body].flat().map((piece) => Buffer.from(piece)));
    expect(sent.byteLength).toBe(sizeBytes);
    expect(await textOf(await createSender()(targetAt(server.port), { body }))).toBe(
      Bun.hash(sent.toString()).toString(),
    );
  });
});

describe("an answer", () => {
  const answered = async (bytes: string, { byByte = false, ends = true } = {}) => {
    const server = await serve(async (side) => {
      if (byByte) for (const byte of Buffer.from(bytes)) await side.push(Uint8Array.of(byte));
      else side.write(bytes);
      if (ends) side.socket.end();
    });
    return createSender()(targetAt(server.port));
  };

  test("that arrives byte by byte is read the same", async () => {
    const wire = `${headText(200, { "transfer-encoding": "chunked", "x-a": "1" })}3\r\nabc\r\n${LAST_CHUNK}`;
    const answer = await answered(wire, { byByte: true });
    expect(answer).toMatchObject({ status: 200, ok: true });
    expect(answer.headers.get("x-a")).toBe("1");
    expect(await textOf(answer)).toBe("abc");
  });

  test("after informational responses is the one that counts", async () => {
    const wire = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n${headText(429, { "content-length": "2" })}no`;
    const answer = await answered(wire);
    expect(answer).toMatchObject({ status: 429, ok: false });
    expect(await textOf(answer)).toBe("no");
  });

  test("after 900 informational responses is still read", async () => {
    const wire = `${"HTTP/1.1 102 Processing\r\n\r\n".repeat(900)}${headText(200, { "content-length": "2" })}ok`;
    const answer = await answered(wire);
    expect(answer.status).toBe(200);
    expect(await textOf(answer)).toBe("ok");
  });

  test("without a length ends with its connection", async () => {
    expect(await textOf(await answered(`${headText(200, {})}all of it`))).toBe("all of it");
  });

  test("without a length fails if its connection is reset", async () => {
    const asked = Promise.withResolvers<ServerSide>();
    const server = await serve((side) => asked.resolve(side));
    const coming = createSender()(targetAt(server.port));
    const side = await asked.promise;
    side.write(`${headText(200, {})}part of it`);
    const answer = await coming;
    expect(Buffer.from((await answer.read()) ?? []).toString()).toBe("part of it");
    side.socket.resetAndDestroy();
    expect(await failureOf(answer.read())).toBe("ECONNRESET");
  });

  test.each([
    ["another protocol", "HTTP/1.1 101 Switching\r\n\r\n"],
    ["an endless series of informational responses", "HTTP/1.1 100 Continue\r\n\r\n".repeat(3_000)],
    [
      "a few long informational responses",
      `HTTP/1.1 103 Early\r\nlink: ${"x".repeat(40_000)}\r\n\r\n`.repeat(2),
    ],
    ["an endless head", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`],
    ["a head too long", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
    ["not HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["not HTTP and unfinished", "220 mail.example.com ESMTP\r\n"],
    ["a head with LF instead of CRLF", "HTTP/1.1 200 OK\ncontent-length: 2\n\nok"],
    ["a head with one line that ends with LF", "HTTP/1.1 200 OK\r\nx: y\ncontent-length: 0\r\n"],
    ["a head with LF after an informational response", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\n\n"],
    ["a head with an invalid length", headText(200, { "content-length": "7x" })],
  ])("that is %s is refused", async (_name, wire) => {
    expect(await failureOf(answered(wire, { ends: false }))).toBe("ERR_BAD_ANSWER");
  });

  test("with a line that ends with LF is refused, even if it arrives byte by byte", async () => {
    const wire = "HTTP/1.1 200 OK\r\nx: y\n\n";
    expect(await failureOf(answered(wire, { ends: false, byByte: true }))).toBe("ERR_BAD_ANSWER");
  });

  test.each([
    ["before its head", ""],
    ["in its head", "HTTP/1.1 200 OK\r\ncontent-"],
  ])("that breaks off %s fails with ECONNRESET", async (_name, wire) => {
    expect(await failureOf(answered(wire))).toBe("ECONNRESET");
  });

  test.each([
    ["before its length is reached", `${headText(200, { "content-length": "9" })}abc`],
    ["within a chunk", `${headText(200, { "transfer-encoding": "chunked" })}9\r\nabc`],
    ["before its last chunk", `${headText(200, { "transfer-encoding": "chunked" })}3\r\nabc\r\n`],
  ])("that breaks off %s is read up to there, and then fails", async (_name, wire) => {
    const answer = await answered(wire);
    expect(Buffer.from((await answer.read()) ?? []).toString()).toBe("abc");
    expect(await failureOf(answer.read())).toBe("ECONNRESET");
    expect(await failureOf(answer.read())).toBe("ECONNRESET");
  });

  test("with an invalid chunk fails, and its connection is closed", async () => {
    const asked = Promise.withResolvers<ServerSide>();
    const server = await serve((side) => asked.resolve(side));
    const coming = createSender()(targetAt(server.port));
    const side = await asked.promise;
    side.write(`${headText(200, { "transfer-encoding": "chunked" })}3\r\nabc\r\nzz`);
    expect(await failureOf((await coming).read())).toBe("ERR_BAD_ANSWER");
    await side.request.closed;
  });

  test("that nobody reads holds the provider back, and is complete in the end", async () => {
    const MEGABYTES = 48;
    let pushed = 0;
    const server = await serve(async (side) => {
      side.write(headText(200, { "content-length": String(MEGABYTES << 20) }));
      for (; pushed < MEGABYTES && (await side.push(Buffer.alloc(1 << 20, pushed))); pushed++);
    });
    const answer = await createSender()(targetAt(server.port));
    // The server gets as far as the kernel's buffers allow, and no further.
    let before = -1;
    while (before !== pushed) {
      before = pushed;
      await Bun.sleep(60);
    }
    expect(pushed).toBeLessThan(MEGABYTES);
    expect((await textOf(answer)).length).toBe(MEGABYTES << 20);
  });

  test("that nobody has read yet is kept after its connection ended", async () => {
    const answer = await answered(`${headText(200, {})}${"x".repeat(300_000)}`);
    await Bun.sleep(30);
    expect((await textOf(answer)).length).toBe(300_000);
  });

  test("in pieces that arrive one at a time is read one at a time", async () => {
    const asked = Promise.withResolvers<ServerSide>();
    const server = await serve((side) => asked.resolve(side));
    const coming = createSender()(targetAt(server.port));
    const side = await asked.promise;
    side.write(headText(200, { "transfer-encoding": "chunked" }));
    const answer = await coming;
    for (const word of ["one", "two"]) {
      const piece = answer.read();
      side.write(chunked(word));
      expect(Buffer.from((await piece) ?? []).toString()).toBe(word);
    }
    const last = answer.read();
    side.write(LAST_CHUNK);
    expect(await last).toBeNull();
    expect(await answer.read()).toBeNull();
  });

  test("joins pieces that nobody has read yet, up to 16 KB at a time", async () => {
    const asked = Promise.withResolvers<ServerSide>();
    const server = await serve((side) => asked.resolve(side));
    const coming = createSender()(targetAt(server.port));
    (await asked.promise).write(headText(200, { "transfer-encoding": "chunked" }));
    const answer = await coming;
    // The way the connection delivers them, because the network itself may join them.
    for (const letter of "abcd") answer.received(Buffer.from(chunked(letter.repeat(6_000))));
    answer.received(Buffer.from(chunked("e".repeat(20_000))));
    answer.received(Buffer.from(LAST_CHUNK));
    const pieces: string[] = [];
    for (let piece = await answer.read(); piece !== null; piece = await answer.read()) {
      pieces.push(
        Buffer.from(piece)
          .toString()
          .replaceAll(/(.)\1+/g, "$1"),
      );
    }
    expect(pieces).toEqual(["ab", "cd", "e"]);
  });

  test.each(["its end", "a failure"])(
    "that arrives in megabytes is handed out once per turn of the event loop, all of it before %s",
    async (ending) => {
      const cut = ending === "a failure" ? new Error("the wire was cut") : null;
      const pieceBytes = 512 << 10;
      const server = await serve((side) => side.write("HTTP/1.1 200 OK\r\n\r\n"));
      const exchange = await createSender()(targetAt(server.port));
      let turn = 0;
      let isOver = false;
      const count = () => {
        turn++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const turns: number[] = [];
      const reading = (async () => {
        for (let piece = await exchange.read(); piece !== null; piece = await exchange.read()) {
          expect(piece.byteLength).toBe(pieceBytes);
          turns.push(turn);
        }
      })();
      const told = failureOf(reading);
      for (let at = 0; at < 8; at++) {
        exchange.received(new Uint8Array(pieceBytes));
        await Promise.resolve();
      }
      exchange.ended(cut);
      expect(await told).toBe(cut === null ? "none" : String(cut));
      isOver = true;
      expect([turns.length, new Set(turns).size]).toEqual([8, 8]);
    },
  );

  test("has one reader: a second read fails, and the first gets its piece", async () => {
    const asked = Promise.withResolvers<ServerSide>();
    const server = await serve((side) => asked.resolve(side));
    const coming = createSender()(targetAt(server.port));
    const side = await asked.promise;
    side.write(headText(200, { "transfer-encoding": "chunked" }));
    const answer = await coming;
    const piece = answer.read();
    expect(() => answer.read()).toThrow("one reader");
    side.write(chunked("one"));
    expect(Buffer.from((await piece) ?? []).toString()).toBe("one");
  });
});
